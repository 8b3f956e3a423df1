import { useApp } from '#admin/lib/app-context.ts';
import { fileUrl } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import styles from './frame.module.css';

function DefaultLogo({ colour }: { colour: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true">
      <rect width="28" height="28" rx="7" fill={colour} />
      <path d="M14 4.8c2 2.6 3 4.2 3 5.6a3 3 0 0 1-6 0c0-1.4 1-3 3-5.6z" fill="#fff" />
      <path d="M8.5 17.5h11M6 22h16" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}

export function Brand({ isNarrow }: { isNarrow: boolean }) {
  const { basePath, title, logo, colorPrimary } = useApp();
  return (
    <Link to="/" className={styles.brand} data-narrow={isNarrow} aria-label={`${title}后台首页`}>
      {logo === '' ? <DefaultLogo colour={colorPrimary} /> : <img src={fileUrl(basePath, logo)} alt="" />}
      {isNarrow ? null : <span>{title}后台</span>}
    </Link>
  );
}
