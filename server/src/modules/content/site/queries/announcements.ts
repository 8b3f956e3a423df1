import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { plainRows } from '../../../../db/plain-rows.ts';
import { type AnnouncementRow, announcements } from '../tables.ts';

export const announcementRows = plainRows(announcements, '没有这条公告');

/** In order. */
export const listAnnouncements = (db: Db): Promise<AnnouncementRow[]> =>
  db.select().from(announcements).orderBy(asc(announcements.sort), asc(announcements.id));

/** The same of the enabled ones, for whoever asks by a statement of its own. */
export const selectEnabled = (db: Db) =>
  db
    .select()
    .from(announcements)
    .where(eq(announcements.enabled, true))
    .orderBy(asc(announcements.sort), asc(announcements.id));
