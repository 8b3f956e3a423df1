import { FollowedColumns } from './followed-columns.tsx';
import { OwnColumns } from './own-columns.tsx';

/** Columns in the account centre: those that a writer has, and those that the user follows. */
export const ColumnsPanel = ({ isWriter }: { isWriter: boolean }) => (
  <div className="stack gap-6">
    {isWriter ? <OwnColumns /> : null}
    <FollowedColumns />
  </div>
);
