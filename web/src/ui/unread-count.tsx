import styles from './unread-count.module.css';

interface UnreadCountProps {
  count: number;
  /** Unit after the number, for screen readers. */
  unit?: string;
  /** The element at whose corner it is placed. */
  at?: 'face' | 'bell';
}

export const UnreadCount = ({ count, unit, at }: UnreadCountProps) => (
  <span className={at === undefined ? styles.count : `${styles.count} ${styles[at]}`}>
    {count > 99 ? '99+' : count}
    {unit === undefined ? null : <span className="sr"> {unit}</span>}
  </span>
);
