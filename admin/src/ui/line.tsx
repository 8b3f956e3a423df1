import styles from './line.module.css';

/** A text in one line of a table, whole on hover; with an address, a link to where it stands on the site. */
export function Line({ text, href }: { text: string; href?: string | undefined }) {
  if (href === undefined)
    return (
      <span className={styles.line} title={text}>
        {text}
      </span>
    );
  return (
    <a className={styles.line} href={href} target="_blank" rel="noopener" title={text}>
      {text}
    </a>
  );
}
