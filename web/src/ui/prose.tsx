import styles from './prose.module.css';
import blocks from './prose-blocks.module.css';
import math from './prose-math.module.css';

/** Text that the server rendered from Markdown and made safe. */
export function Prose({ html }: { html: string }) {
  const className = `${styles.prose} ${blocks.blocks} ${math.math}`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the text pipeline lets nothing through but plain markup
  return <div className={className} dangerouslySetInnerHTML={{ __html: html }} />;
}
