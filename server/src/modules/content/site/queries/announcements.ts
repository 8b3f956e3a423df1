import { asc, eq } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { type AnnouncementRow, announcements } from '../tables.ts';

export const announcementRows = createRowQueries(announcements, '没有这条公告');

export const listAnnouncements = (db: Db): Promise<AnnouncementRow[]> =>
  db.select().from(announcements).orderBy(asc(announcements.sort), asc(announcements.id));

/** Returns the query builder, so that the caller can prepare it. */
export const selectEnabledAnnouncements = (db: Db) =>
  db
    .select()
    .from(announcements)
    .where(eq(announcements.enabled, true))
    .orderBy(asc(announcements.sort), asc(announcements.id));
