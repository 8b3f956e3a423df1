import type { Page } from '@mozhan/contract/common.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { and, arrayContains, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { containsKeyword, escapeLike, MAX_COUNTED_ROWS, MAX_SCANNED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { accounts, type User, users } from '../../../accounts/users/tables.ts';
import { type FarmerRow, farmers } from '../tables.ts';

export interface FarmerCard {
  farmer: FarmerRow;
  user: User;
}

/** Omits disabled accounts. */
const selectCards = (db: Db) =>
  db
    .select({ farmer: farmers, user: users })
    .from(farmers)
    .innerJoin(users, eq(users.id, farmers.userId))
    .innerJoin(accounts, and(eq(accounts.userId, farmers.userId), eq(accounts.enabled, true)));

export async function findFarmer(db: Db, userId: string): Promise<FarmerCard | null> {
  const [card] = await selectCards(db).where(eq(farmers.userId, userId));
  return card ?? null;
}

export interface FarmerFilter {
  skill?: string | undefined;
  city?: string | undefined;
  keyword?: string | undefined;
  openToWork?: 1 | undefined;
}

/** Searches only the cards that were updated last and match the other filters. */
const matchesKeyword = (keyword: string, filters: SQL | undefined): SQL => sql`${farmers.userId} in (
  select newest.user_id from (
    select ${farmers.userId}, ${farmers.intro} from ${farmers} where ${filters ?? true}
    order by ${farmers.updatedAt} desc, ${farmers.userId} desc limit ${MAX_SCANNED_ROWS}
  ) as newest join users as named on named.id = newest.user_id
  where ${containsKeyword(sql`named.display_name`, keyword)} or ${containsKeyword(sql`newest.intro`, keyword)})`;

/** Last updated first. */
export function listFarmers(db: Db, query: PageQuery & FarmerFilter): Promise<Page<FarmerCard>> {
  const { skill, city, keyword, openToWork } = query;
  const filters = and(
    skill ? arrayContains(farmers.skills, [skill]) : undefined,
    city ? sql`${farmers.city} like ${`${escapeLike(city)}%`}` : undefined,
    openToWork === FLAG.on ? eq(farmers.openToWork, true) : undefined,
  );
  const match = and(filters, keyword ? matchesKeyword(keyword, filters) : undefined);
  return listPage(db, query, {
    select: selectCards(db),
    match,
    by: farmers.updatedAt,
    id: farmers.userId,
    total: () => db.$count(selectCards(db).where(match).limit(MAX_COUNTED_ROWS).as('found')),
    key: ({ farmer }) => [farmer.updatedAt, farmer.userId],
  });
}

export type FarmerFields = Partial<Omit<FarmerRow, 'userId' | 'updatedAt'>> & { updatedAt: Date };

/** Updates only the given fields, so that concurrent changes of different fields both apply. Null if there is no card. */
export async function updateFarmer(db: Db, userId: string, fields: FarmerFields): Promise<FarmerRow | null> {
  const [farmer] = await db.update(farmers).set(fields).where(eq(farmers.userId, userId)).returning();
  return farmer ?? null;
}

export async function insertFarmer(
  db: Db,
  userId: string,
  fields: FarmerFields & { skills: string[] },
): Promise<void> {
  await db
    .insert(farmers)
    .values({ userId, ...fields })
    .onConflictDoUpdate({ target: farmers.userId, set: fields });
}

export async function removeFarmer(db: Db, userId: string): Promise<void> {
  await db.delete(farmers).where(eq(farmers.userId, userId));
}
