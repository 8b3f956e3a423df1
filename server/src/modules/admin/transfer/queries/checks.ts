import { IDENTITY } from '@mozhan/contract/enums.ts';
import { and, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { accounts, type User, users } from '../../../accounts/users/tables.ts';
import { type CheckRow, importChecks, type TransferRow, transfers } from '../tables.ts';

export async function findCheck(db: Db, transferId: string): Promise<CheckRow | null> {
  const [row] = await db.select().from(importChecks).where(eq(importChecks.transferId, transferId));
  return row ?? null;
}

/** The last import of the same site that was started. */
export async function findEarlierCheck(db: Db, site: string): Promise<CheckRow | null> {
  const [row] = await db
    .select()
    .from(importChecks)
    .where(and(eq(importChecks.site, site), importChecks.started))
    .orderBy(desc(importChecks.transferId))
    .limit(1);
  return row ?? null;
}

/** A check that was interrupted starts again. */
export async function upsertCheck(db: Db, row: CheckRow): Promise<void> {
  await db.insert(importChecks).values(row).onConflictDoUpdate({ target: importChecks.transferId, set: row });
}

export async function updateCheck(db: Db, transferId: string, fields: Partial<CheckRow>): Promise<void> {
  await db.update(importChecks).set(fields).where(eq(importChecks.transferId, transferId));
}

/** For an import that ended before it was started. */
export async function removeCheck(db: Db, transferId: string): Promise<void> {
  await db.delete(importChecks).where(eq(importChecks.transferId, transferId));
}

/** Mappings of ended imports that mention a user; an import that is under way needs its own. */
export async function removeChecksWith(db: Db, userId: string): Promise<void> {
  const ended = db
    .select({ id: transfers.id })
    .from(transfers)
    .where(inArray(transfers.status, ['done', 'failed', 'cancelled', 'undone']));
  await db
    .delete(importChecks)
    .where(
      and(inArray(importChecks.transferId, ended), sql`${importChecks.mapping}::text like ${`%${userId}%`}`),
    );
}

/** Ends imports that were checked before this time and never started. */
export const expireChecked = (
  db: Db,
  { before, now, message }: { before: Date; now: Date; message: string },
): Promise<TransferRow[]> =>
  db
    .update(transfers)
    .set({ status: 'cancelled', message, endedAt: now })
    .where(and(eq(transfers.status, 'ready'), lt(transfers.aliveAt, before)))
    .returning();

/** Writers with an enabled account, of these ids. */
export async function listUsableAuthors(db: Db, ids: readonly string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ user: users })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(
        inArray(users.id, [...new Set(ids)]),
        eq(users.curIdentity, IDENTITY.writer),
        isNull(users.closedAt),
        eq(accounts.enabled, true),
      ),
    );
  return rows.map(({ user }) => user);
}

export async function listUsers(db: Db, ids: readonly string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
}

const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** Users by account name, or by id as in archives of this program. */
export async function findUserIds(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const rows = await db
    .select({ name: accounts.name, id: accounts.userId })
    .from(accounts)
    .where(or(inArray(accounts.name, [...names]), inArray(accounts.userId, names.filter(isId))));
  return new Map(rows.flatMap(({ name, id }) => [[name, id] as const, [id, id] as const]));
}
