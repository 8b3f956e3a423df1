import type { Page } from '@mozhan/contract/common.ts';
import { eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { listPage } from '../../../db/list-page.ts';
import type { PageQuery } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import { type User, users } from '../users/tables.ts';
import type { ActiveBan } from './matcher.ts';
import { type BanRow, bans } from './tables.ts';

export const banRows = createRowQueries(bans, '没有找到这条封禁');

export interface ListedBan {
  ban: BanRow;
  user: User | null;
}

const selectBans = (db: Db) =>
  db.select({ ban: bans, user: users }).from(bans).leftJoin(users, eq(users.id, bans.userId));

export const listBans = (
  db: Db,
  query: PageQuery & { network?: string | undefined; isDescending: boolean },
): Promise<Page<ListedBan>> =>
  listPage(db, query, {
    select: selectBans(db),
    match: query.network === undefined ? undefined : sql`${bans.network} && ${query.network}::inet`,
    id: bans.id,
    isDescending: query.isDescending,
    key: ({ ban }) => [ban.id],
  });

export async function getListedBan(db: Db, id: string): Promise<ListedBan> {
  const [row] = await selectBans(db).where(eq(bans.id, id));
  if (row === undefined) throw banRows.notFoundError();
  return row;
}

export async function findBanByNetwork(db: Db, network: string): Promise<BanRow | null> {
  const [row] = await db.select().from(bans).where(sql`${bans.network} = ${network}::cidr`);
  return row ?? null;
}

export async function listActiveBans(db: Db, now: Date): Promise<ActiveBan[]> {
  const rows = await db
    .select({ network: bans.network, expiresAt: bans.expiresAt })
    .from(bans)
    .where(or(sql`${bans.expiresAt} is null`, sql`${bans.expiresAt} > ${now.toISOString()}::timestamptz`))
    .orderBy(bans.id);
  return rows.map(({ network, expiresAt }) => ({ network, expiresAt: expiresAt?.getTime() ?? null }));
}

export async function removeExpiredBans(db: Db, before: Date): Promise<void> {
  await db.delete(bans).where(lt(bans.expiresAt, before));
}

/** Adding one at a time keeps their number exact and each network once. */
export async function lockBans(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('bans'))`);
}
