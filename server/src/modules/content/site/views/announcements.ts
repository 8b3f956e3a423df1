import type { Announcement, ShownAnnouncement } from '@mozhan/contract/announcements.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { Config } from '../../../../config/config.ts';
import { atBase } from '../../essays/index.ts';
import type { AnnouncementRow } from '../tables.ts';

export const toShownAnnouncement = (row: AnnouncementRow, config: Config): ShownAnnouncement => ({
  id: row.id,
  title: row.title,
  html: atBase(row.html, config),
  link: row.link,
  level: row.level,
});

export const toAnnouncement = (row: AnnouncementRow, config: Config): Announcement => ({
  ...toShownAnnouncement(row, config),
  content: row.content,
  sort: row.sort,
  enabled: toFlag(row.enabled),
  startsAt: row.startsAt?.toISOString() ?? null,
  endsAt: row.endsAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});
