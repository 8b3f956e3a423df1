import { formatCount } from '#web/lib/format.ts';
import styles from './comments.module.css';

export const CommentsTitle = ({ count }: { count: number }) => (
  <h2 className={styles.title} id="comments-title">
    评论 {count === 0 ? null : <small>{formatCount(count)}</small>}
  </h2>
);
