import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { VisibleAnnouncement } from '@mozhan/contract/announcements.ts';
import { useSite } from '#web/lib/queries.ts';
import { useRouter } from '#web/router/router.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './announcement-bar.module.css';

/** Shared with boot.ts, which hides dismissed announcements before the first paint. */
const DISMISSED_KEY = 'away';
/** The number of stored ids. */
const MAX_STORED = 30;

function dismiss(id: string, position: number): void {
  const otherIds = (readItem(DISMISSED_KEY) ?? '').split(' ').filter((each) => each !== '' && each !== id);
  writeItem(DISMISSED_KEY, [...otherIds, id].slice(-MAX_STORED).join(' '));
  document.documentElement.dataset[`away${position}`] = '';
  // The focused button is no longer visible.
  document.getElementById('main')?.focus();
}

const levelLabels: Record<VisibleAnnouncement['level'], string> = { info: '公告', important: '重要' };

function Announcement({ announcement, position }: { announcement: VisibleAnnouncement; position: number }) {
  const { href } = useRouter();
  const { id, title, html, link, level } = announcement;
  return (
    <li className={`flex gap-2 text-m ${styles.item}`} data-level={level} data-place={position}>
      <b className={styles.level}>{levelLabels[level]}</b>
      {html === '' ? (
        <span className={styles.words}>{title}</span>
      ) : (
        <details className={styles.words}>
          <summary>{title}</summary>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered and sanitized by the server, as comments are */}
          <div className={styles.text} dangerouslySetInnerHTML={{ __html: html }} />
        </details>
      )}
      {link === '' ? null : (
        <a
          className={styles.link}
          href={link.startsWith('/') ? href(link) : link}
          aria-label={`查看：${title}`}
        >
          查看
        </a>
      )}
      <IconButton label={`不再显示：${title}`} onClick={() => dismiss(id, position)}>
        ×
      </IconButton>
    </li>
  );
}

/** One line per announcement, which expands when it has more text. */
export function AnnouncementBar() {
  const { announcements } = useSite();
  return (
    <ul aria-label="公告">
      {announcements.map((announcement, position) => (
        <Announcement key={announcement.id} announcement={announcement} position={position} />
      ))}
    </ul>
  );
}
