import type { Page } from '@mozhan/contract/common.ts';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { MAX_COUNTED_ROWS } from '../../../../db/keyword.ts';
import { listPage } from '../../../../db/list-page.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { createdWithin, type DayBounds, timeSortColumn } from '../../../../db/sort.ts';
import { signIns, type User, users } from '../tables.ts';

export type SignInRow = typeof signIns.$inferSelect;

export interface StaffSignInRow {
  signIn: SignInRow;
  user: User | null;
}

interface SignInFilter extends DayBounds {
  userId?: string | undefined;
  /** The stored account of attempts that name no existing one. */
  unknownAccount?: string | undefined;
  address?: string | undefined;
  succeeded?: boolean | undefined;
}

export async function insertSignIn(db: Db, row: typeof signIns.$inferInsert): Promise<void> {
  await db.insert(signIns).values(row);
}

export function listSignIns(
  db: Db,
  query: PageQuery & SignInFilter & { isDescending: boolean },
): Promise<Page<StaffSignInRow>> {
  const { userId, unknownAccount, address, succeeded, isDescending } = query;
  const match = and(
    userId === undefined ? undefined : eq(signIns.userId, userId),
    unknownAccount === undefined
      ? undefined
      : and(sql`${signIns.userId} is null`, eq(signIns.account, unknownAccount)),
    address === undefined ? undefined : eq(signIns.address, address),
    succeeded === undefined ? undefined : eq(signIns.succeeded, succeeded),
    createdWithin(signIns.createdAt, query),
  );
  return listPage(db, query, {
    select: db
      .select({ signIn: signIns, user: users })
      .from(signIns)
      .leftJoin(users, eq(users.id, signIns.userId)),
    match,
    by: timeSortColumn(signIns.createdAt, query),
    id: signIns.id,
    isDescending,
    maxCounted: MAX_COUNTED_ROWS,
    key: ({ signIn }) => [signIn.createdAt, signIn.id],
  });
}

const BATCH_SIZE = 5000;

/** In batches, so that no statement runs long. */
export async function removeOldSignIns(db: Db, before: Date): Promise<void> {
  for (let removed = BATCH_SIZE; removed === BATCH_SIZE; ) {
    const old = db.select({ id: signIns.id }).from(signIns).where(lt(signIns.createdAt, before));
    const rows = await db
      .delete(signIns)
      .where(sql`${signIns.id} in ${old.orderBy(signIns.createdAt).limit(BATCH_SIZE)}`);
    removed = rows.rowCount ?? 0;
  }
}
