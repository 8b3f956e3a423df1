import type { Page } from '@mozhan/contract/common.ts';
import { and, asc, eq, gt, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { userIdsMatching, userNotFound } from '../../../accounts/users/index.ts';
import { type User, users } from '../../../accounts/users/tables.ts';
import { memberPlans, memberTerms, type PlanRow, type TermRow } from '../tables.ts';

export const planRows = createRowQueries(memberPlans, '没有找到这个会员方案');

export const listPlans = (db: Db, which: 'all' | 'enabled'): Promise<PlanRow[]> =>
  db
    .select()
    .from(memberPlans)
    .where(which === 'all' ? undefined : eq(memberPlans.enabled, true))
    .orderBy(asc(memberPlans.sort), asc(memberPlans.days), asc(memberPlans.id));

export async function findEnabledPlan(db: Db, id: string): Promise<PlanRow | null> {
  const [plan] = await db
    .select()
    .from(memberPlans)
    .where(and(eq(memberPlans.id, id), memberPlans.enabled));
  return plan ?? null;
}

type MembershipDates = Pick<User, 'id' | 'memberUntil' | 'invitedBy'>;
const dates = { id: users.id, memberUntil: users.memberUntil, invitedBy: users.invitedBy };

export async function findMembershipDates(db: Db, userId: string): Promise<MembershipDates | null> {
  const [user] = await db.select(dates).from(users).where(eq(users.id, userId));
  return user ?? null;
}

/** Serialises changes of a user's membership. */
export async function lockMembershipDates(db: Db, userId: string): Promise<MembershipDates | null> {
  const [user] = await db.select(dates).from(users).where(eq(users.id, userId)).for('no key update');
  return user ?? null;
}

/** Returns false if the term exists. */
export async function insertTerm(db: Db, term: TermRow): Promise<boolean> {
  const rows = await db
    .insert(memberTerms)
    .values(term)
    .onConflictDoNothing()
    .returning({ id: memberTerms.id });
  return rows.length > 0;
}

/** In chronological order. */
export const listAllTerms = (db: Db, userId: string): Promise<TermRow[]> =>
  db.select().from(memberTerms).where(eq(memberTerms.userId, userId)).orderBy(asc(memberTerms.id));

export async function removeTermsOf(db: Db, userIds: string[]): Promise<void> {
  await db.delete(memberTerms).where(inArray(memberTerms.userId, userIds));
}

export interface TermWithGranter {
  term: TermRow;
  by: User | null;
}

export function listTerms(db: Db, query: PageQuery & { userId: string }): Promise<Page<TermWithGranter>> {
  return listPage(db, query, {
    select: db
      .select({ term: memberTerms, by: users })
      .from(memberTerms)
      .leftJoin(users, eq(users.id, memberTerms.byId)),
    match: eq(memberTerms.userId, query.userId),
    id: memberTerms.id,
    key: ({ term }) => [term.id],
  });
}

export interface MemberRow {
  user: User;
  since: Date;
}

/** Members without recorded terms count from their registration. */
const since = sql`coalesce((
  select min(${memberTerms.createdAt}) from ${memberTerms} where ${memberTerms.userId} = ${users.id}
), ${users.createdAt})`.mapWith(memberTerms.createdAt);

export async function getMember(db: Db, userId: string): Promise<MemberRow> {
  const [row] = await db.select({ user: users, since }).from(users).where(eq(users.id, userId));
  if (row === undefined) throw userNotFound();
  return row;
}

const DAY = 86_400_000;

interface MemberFilter {
  keyword?: string | undefined;
  isExpired: boolean;
  /** Maximum distance of the end date from now. */
  days?: number | undefined;
  now: Date;
}

function whereMembers({ keyword, isExpired, days, now }: MemberFilter): SQL | undefined {
  const limit = new Date(now.getTime() + (days ?? 0) * DAY * (isExpired ? -1 : 1));
  return and(
    isExpired ? lte(users.memberUntil, now) : gt(users.memberUntil, now),
    days === undefined ? undefined : (isExpired ? gte : lte)(users.memberUntil, limit),
    keyword ? sql`${users.id} in (${userIdsMatching(keyword)})` : undefined,
  );
}

export function listMembers(
  db: Db,
  query: PageQuery & MemberFilter & { isDescending: boolean },
): Promise<Page<MemberRow>> {
  return listPage(db, query, {
    select: db.select({ user: users, since }).from(users),
    match: whereMembers(query),
    by: users.memberUntil,
    id: users.id,
    isDescending: query.isDescending,
    key: ({ user }) => [user.memberUntil, user.id],
    maxCounted: query.keyword ? MAX_COUNTED_ROWS : undefined,
  });
}
