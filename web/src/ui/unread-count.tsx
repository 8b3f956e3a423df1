import styles from './unread-count.module.css';

interface UnreadCountProps {
  count: number;
  /** What screen readers say after the number. */
  unit?: string;
  /** At whose corner it hangs. */
  at?: 'face' | 'bell';
}

/** How much is new. */
export const UnreadCount = ({ count, unit, at }: UnreadCountProps) => (
  <span className={at === undefined ? styles.count : `${styles.count} ${styles[at]}`}>
    {count > 99 ? '99+' : count}
    {unit === undefined ? null : <span className="sr"> {unit}</span>}
  </span>
);
