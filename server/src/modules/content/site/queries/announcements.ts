import { CallError } from '@mozhan/contract/errors.ts';
import { asc, eq, max } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { type AnnouncementRow, announcements } from '../tables.ts';

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

/** Nobody else changes it until the transaction ends. */
export async function lockAnnouncement(db: Db, id: string): Promise<AnnouncementRow> {
  const [row] = await db.select().from(announcements).where(eq(announcements.id, id)).for('update');
  if (row === undefined) throw new CallError('NOT_FOUND', { message: '没有这条公告' });
  return row;
}

export const countAnnouncements = (db: Db): Promise<number> => db.$count(announcements);

export async function findLastSort(db: Db): Promise<number> {
  const [last] = await db.select({ sort: max(announcements.sort) }).from(announcements);
  return last?.sort ?? 0;
}

export async function insertAnnouncement(db: Db, row: AnnouncementRow): Promise<void> {
  await db.insert(announcements).values(row);
}

export async function updateAnnouncement(db: Db, row: AnnouncementRow): Promise<void> {
  await db.update(announcements).set(row).where(eq(announcements.id, row.id));
}

export async function removeAnnouncement(db: Db, id: string): Promise<void> {
  await db.delete(announcements).where(eq(announcements.id, id));
}
