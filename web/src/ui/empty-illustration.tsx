import styles from './empty.module.css';

export const EmptyIllustration = ({ failed = false }: { failed?: boolean }) => (
  <svg className={styles.layers} viewBox="0 0 96 72" aria-hidden="true">
    {failed ? (
      <path d="M20 60h24M52 60h24M28 50h14M54 50h14M47 12v30M40 35l7 7 7-7" />
    ) : (
      <>
        <path d="M20 60h56M28 50h40M36 40h24" />
        <path className={styles.drop} d="M48 8c5 7 8 11 8 15a8 8 0 0 1-16 0c0-4 3-8 8-15z" />
      </>
    )}
  </svg>
);
