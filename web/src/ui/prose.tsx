import '@mozhan/client/fonts/math.css';
import styles from './prose.module.css';
import blocks from './prose-blocks.module.css';
import math from './prose-math.module.css';

/** HTML that the server rendered from Markdown and sanitized. */
export function Prose({ html }: { html: string }) {
  const className = `${styles.prose} ${blocks.blocks} ${math.math}`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text pipeline sanitizes the HTML
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
