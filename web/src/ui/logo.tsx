import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import styles from './logo.module.css';
import { mark } from './mark.ts';

export function Mark() {
  return (
    <svg className={styles.mark} viewBox={mark.box} aria-hidden="true">
      <rect className={styles.ground} width="28" height="28" rx="7" />
      <path d={mark.drop} fill="#fff" />
      <path d={mark.layers} stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}

interface LogoProps {
  title: string;
  /** The site's own picture; empty: the built-in mark. */
  image: string;
  /** On a phone the mark alone. */
  compact?: boolean;
}

export function Logo({ title, image, compact = false }: LogoProps) {
  const { filesUrl } = useApp();
  return (
    <span className={styles.logo}>
      {image === '' ? (
        <Mark />
      ) : (
        <img className={styles.mark} src={fileUrl(filesUrl, image)} alt="" width={28} height={28} />
      )}
      <span className={compact ? styles.compact : undefined}>{title}</span>
    </span>
  );
}
