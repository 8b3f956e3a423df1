import styles from './said.module.css';

/** What somebody said, as the server laid it out and made safe. */
export const Said = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text pipeline lets nothing through but plain markup
  <div className={styles.said} dangerouslySetInnerHTML={{ __html: html }} />
);
