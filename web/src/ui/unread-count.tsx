import styles from './unread-count.module.css';

interface UnreadCountProps {
  count: number;
  /** What screen readers say after the number. */
  unit?: string;
  /** Stands over a picture or icon. */
  ringed?: boolean;
}

/** How much is new. */
export const UnreadCount = ({ count, unit, ringed = false }: UnreadCountProps) => (
  <span className={ringed ? `${styles.count} ${styles.ringed}` : styles.count}>
    {count > 99 ? '99+' : count}
    {unit === undefined ? null : <span className="sr"> {unit}</span>}
  </span>
);
