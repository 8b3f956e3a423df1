import styles from './prose.module.css';

/** Text that the server rendered from Markdown and made safe. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text pipeline lets nothing through but plain markup
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
