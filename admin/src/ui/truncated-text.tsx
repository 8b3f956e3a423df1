import { useApp } from '#admin/lib/app-context.ts';
import styles from './truncated-text.module.css';

interface TruncatedTextProps {
  text: string;
  width?: 'wide';
}

/** Text truncated to one line, complete on hover. */
export const TruncatedText = ({ text, width }: TruncatedTextProps) => (
  <span className={styles.line} data-width={width} title={text}>
    {text}
  </span>
);

/** Truncated link to the site; plain text when `to` is undefined. */
export function TruncatedLink({ to, ...line }: TruncatedTextProps & { to: string | undefined }) {
  const { basePath } = useApp();
  const { text, width } = line;
  if (to === undefined) return <TruncatedText {...line} />;
  return (
    <a
      className={styles.line}
      data-width={width}
      href={basePath + to}
      target="_blank"
      rel="noopener"
      title={text}
    >
      {text}
    </a>
  );
}
