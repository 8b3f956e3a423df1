import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { inOrderOf } from '../../../../db/rows.ts';
import { accounts, type User, users } from '../../../accounts/users/tables.ts';

export async function findUser(db: Db, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return user ?? null;
}

/** Returns null if the account is disabled or closed. */
export async function findActiveUser(db: Db, id: string): Promise<User | null> {
  const [row] = await db
    .select({ user: users })
    .from(users)
    .innerJoin(accounts, eq(accounts.userId, users.id))
    .where(and(eq(users.id, id), isNull(users.closedAt), accounts.enabled, isNull(accounts.closingAt)));
  return row?.user ?? null;
}

/** Keeps the order of the ids. */
export async function listUsersByIds(db: Db, ids: string[]): Promise<User[]> {
  if (ids.length === 0) return [];
  const rows = await db.select().from(users).where(inArray(users.id, ids));
  return inOrderOf(ids, rows, ({ id }) => id);
}
