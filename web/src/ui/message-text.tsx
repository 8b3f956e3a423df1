import styles from './message-text.module.css';

/** HTML of a comment, letter or chat message, rendered and sanitized by the server. */
export const MessageText = ({ html }: { html: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text pipeline sanitizes the HTML
  <div className={styles.said} dangerouslySetInnerHTML={{ __html: html }} />
);
