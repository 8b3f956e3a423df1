import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { type FriendLinkRow, friendLinks } from '../tables.ts';

export const friendLinkRows = createRowQueries(friendLinks, '没有找到这个友情链接');

export const listFriendLinks = (db: Db, which: 'all' | 'enabled'): Promise<FriendLinkRow[]> =>
  db
    .select()
    .from(friendLinks)
    .where(which === 'all' ? undefined : eq(friendLinks.enabled, true))
    .orderBy(asc(friendLinks.sort), asc(friendLinks.id));

/** Adding one at a time keeps their number exact. */
export async function lockFriendLinks(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('friend_links'))`);
}
