import styles from './skip-link.module.css';

/** The first element of every page, visible only with keyboard focus. */
export function SkipLink({ children }: { children: string }) {
  return (
    <a className={styles.skip} href="#main">
      {children}
    </a>
  );
}
