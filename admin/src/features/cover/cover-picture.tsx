import type { CoverKind } from '@mozhan/contract/covers.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { fileUrl } from '#admin/lib/format.ts';
import styles from './cover.module.css';

/** Renders the image as readers see it: a cover with its aspect ratio, a banner with its title. */
export function CoverPreview({ kind, title, image }: { kind: CoverKind; title: string; image: string }) {
  const { basePath } = useApp();
  if (image === '') return null;
  return (
    <figure className={styles.preview} data-kind={kind}>
      <img src={fileUrl(basePath, image)} alt={`预览：${title}`} />
      {kind === 'banner' ? <figcaption>{title || '标题'}</figcaption> : null}
    </figure>
  );
}

interface PictureButtonProps {
  title: string;
  image: string;
  onClick: () => void;
}

/** Thumbnail in a table that opens the preview. */
export function PictureButton({ title, image, onClick }: PictureButtonProps) {
  const { basePath } = useApp();
  return (
    <button type="button" className={styles.small} aria-label={`预览：${title}`} onClick={onClick}>
      <img src={fileUrl(basePath, image)} alt="" loading="lazy" />
    </button>
  );
}
