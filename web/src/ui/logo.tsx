import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import styles from './logo.module.css';
import { logoMark } from './logo-mark.ts';

export function LogoMark() {
  return (
    <svg className={styles.mark} viewBox={logoMark.box} aria-hidden="true">
      <rect className={styles.ground} width="28" height="28" rx="7" />
      <path d={logoMark.drop} fill="#fff" />
      <path d={logoMark.layers} stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}

interface LogoProps {
  title: string;
  /** The site's logo; empty for the built-in mark. */
  image: string;
  compact?: boolean;
}

export function Logo({ title, image, compact = false }: LogoProps) {
  const { filesUrl } = useApp();
  return (
    <span className={styles.logo}>
      {image === '' ? (
        <LogoMark />
      ) : (
        <img className={styles.mark} src={fileUrl(filesUrl, image)} alt="" width={28} height={28} />
      )}
      <span className={compact ? styles.compact : undefined}>{title}</span>
    </span>
  );
}
