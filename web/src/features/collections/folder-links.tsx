import type { Folder } from '@mozhan/contract/collections.ts';
import { formatCount } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './folder-links.module.css';

interface FolderLinksProps {
  folders: readonly Folder[];
  /** Folder id, or '' for all. */
  selected: string;
  /** Base path included. */
  hrefOf: (folderId: string) => string;
}

export function FolderLinks({ folders, selected, hrefOf }: FolderLinksProps) {
  return (
    <nav className={`flex wraps gap-2 ${styles.folders}`} aria-label="收藏夹">
      <a href={hrefOf('')} aria-current={selected === '' ? 'page' : undefined}>
        全部
      </a>
      {folders.map(({ id, name, isPublic, essayCount }) => (
        <a key={id} href={hrefOf(id)} aria-current={id === selected ? 'page' : undefined}>
          {isPublic ? null : (
            <>
              <Icon name="lock" small />
              <span className="sr">不公开：</span>
            </>
          )}
          <span>{name}</span>
          <small>{formatCount(essayCount)}</small>
        </a>
      ))}
    </nav>
  );
}
