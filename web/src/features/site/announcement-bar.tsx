import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { ShownAnnouncement } from '@mozhan/contract/announcements.ts';
import { useSite } from '#web/lib/queries.ts';
import { useRouter } from '#web/router/router.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import styles from './announcement-bar.module.css';

/** Shared with boot.ts, which hides what was put away before the first paint. */
const AWAY = 'away';
/** Ids that are remembered. */
const MOST = 30;

function putAway(id: string, place: number): void {
  const known = (readItem(AWAY) ?? '').split(' ').filter((each) => each !== '' && each !== id);
  writeItem(AWAY, [...known, id].slice(-MOST).join(' '));
  document.documentElement.dataset[`away${place}`] = '';
  // Where the focus was is no longer there.
  document.getElementById('main')?.focus();
}

const levels: Record<ShownAnnouncement['level'], string> = { info: '公告', important: '重要' };

function Announcement({ announcement, place }: { announcement: ShownAnnouncement; place: number }) {
  const { href } = useRouter();
  const { id, title, html, link, level } = announcement;
  return (
    <li className={`flex gap-2 text-m ${styles.item}`} data-level={level} data-place={place}>
      <b className={styles.level}>{levels[level]}</b>
      {html === '' ? (
        <span className={styles.words}>{title}</span>
      ) : (
        <details className={styles.words}>
          <summary>{title}</summary>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: laid out by the server, as comments are */}
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
      <IconButton label={`不再显示：${title}`} onClick={() => putAway(id, place)}>
        ×
      </IconButton>
    </li>
  );
}

/** One line each; what there is to read opens below it. */
export function AnnouncementBar() {
  const { announcements } = useSite();
  return (
    <ul aria-label="公告">
      {announcements.map((announcement, place) => (
        <Announcement key={announcement.id} announcement={announcement} place={place} />
      ))}
    </ul>
  );
}
