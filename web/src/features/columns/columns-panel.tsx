import styles from './columns-panel.module.css';
import { FollowedColumns } from './followed-columns.tsx';
import { OwnColumns } from './own-columns.tsx';

/** Columns in the account centre: those that a writer has, and those that the user follows. */
export const ColumnsPanel = ({ isWriter }: { isWriter: boolean }) => (
  <div className={styles.sections}>
    {isWriter ? <OwnColumns /> : null}
    <FollowedColumns />
  </div>
);
