import { useApp } from '#admin/lib/app-context.ts';
import styles from './line.module.css';

interface LineProps {
  text: string;
  /** For titles. */
  width?: 'wide';
}

/** A text in one line of a table, whole on hover. */
export const Line = ({ text, width }: LineProps) => (
  <span className={styles.line} data-width={width} title={text}>
    {text}
  </span>
);

/** The same as a link to the site; plain text when `to` is undefined. */
export function SiteLine({ to, ...line }: LineProps & { to: string | undefined }) {
  const { basePath } = useApp();
  const { text, width } = line;
  if (to === undefined) return <Line {...line} />;
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
