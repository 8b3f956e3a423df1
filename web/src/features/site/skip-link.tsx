import styles from './skip-link.module.css';

/** First in every page, seen only by those who use the keyboard. */
export function SkipLink({ children }: { children: string }) {
  return (
    <a className={styles.skip} href="#main">
      {children}
    </a>
  );
}
