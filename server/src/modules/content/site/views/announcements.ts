import type { Announcement, VisibleAnnouncement } from '@mozhan/contract/announcements.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { Config } from '../../../../config/config.ts';
import { withBasePath } from '../../essays/index.ts';
import type { AnnouncementRow } from '../tables.ts';

export const toVisibleAnnouncement = (row: AnnouncementRow, config: Config): VisibleAnnouncement => ({
  id: row.id,
  title: row.title,
  html: withBasePath(row.html, config),
  link: row.link,
  level: row.level,
});

export const toAnnouncement = (row: AnnouncementRow, config: Config): Announcement => ({
  ...toVisibleAnnouncement(row, config),
  content: row.content,
  sort: row.sort,
  enabled: toFlag(row.enabled),
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
