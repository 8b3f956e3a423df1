import type { ChangeKind } from '@mozhan/contract/account-changes.ts';
import { and, eq, gt, gte, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { DAY_MS } from '../rules/users.ts';
import { type AccountChange, accountChanges } from '../tables.ts';

export async function insertChange(db: Db, change: typeof accountChanges.$inferInsert): Promise<void> {
  await db.insert(accountChanges).values(change);
}

export async function findChangeByHash(db: Db, hash: Buffer): Promise<AccountChange | null> {
  const [change] = await db.select().from(accountChanges).where(eq(accountChanges.hash, hash));
  return change ?? null;
}

export async function findChange(db: Db, id: string): Promise<AccountChange | null> {
  const [change] = await db.select().from(accountChanges).where(eq(accountChanges.id, id));
  return change ?? null;
}

/**
 * Marks a change, all later ones and those of the same session within the day before it as undone; returns them in order.
 * Older ones stay, since the address that received the undo link was added before that day.
 */
export async function undoChanges(
  db: Db,
  { userId, position, sessionId, createdAt }: AccountChange,
  { now, keepUntil }: { now: Date; keepUntil: Date },
): Promise<AccountChange[]> {
  const rows = await db
    .update(accountChanges)
    .set({
      undoneAt: now,
      expiresAt: sql`greatest(${accountChanges.expiresAt}, ${keepUntil.toISOString()}::timestamptz)`,
    })
    .where(
      and(
        eq(accountChanges.userId, userId),
        or(
          gte(accountChanges.position, position),
          sessionId === null
            ? undefined
            : and(
                eq(accountChanges.sessionId, sessionId),
                gt(accountChanges.createdAt, new Date(createdAt.getTime() - DAY_MS)),
              ),
        ),
        isNull(accountChanges.undoneAt),
      ),
    )
    .returning();
  return rows.toSorted((a, b) => a.position - b.position);
}

/** Whether a change of this kind was undone after `since`. */
export async function hasUndoneChange(
  db: Db,
  userId: string,
  kind: ChangeKind,
  since: Date,
): Promise<boolean> {
  const rows = await db
    .select({ id: accountChanges.id })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.userId, userId),
        eq(accountChanges.kind, kind),
        gt(accountChanges.undoneAt, since),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Whether an account may get this e-mail back by undoing a change. */
export async function isRestorableEmail(db: Db, email: string, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: accountChanges.id })
    .from(accountChanges)
    .where(
      and(
        eq(accountChanges.kind, 'email'),
        eq(accountChanges.oldValue, email),
        eq(accountChanges.oldVerified, true),
        isNull(accountChanges.undoneAt),
        gt(accountChanges.expiresAt, now),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function removeChanges(db: Db, userId: string): Promise<void> {
  await db.delete(accountChanges).where(eq(accountChanges.userId, userId));
}

export async function removeExpiredChanges(db: Db, now: Date): Promise<void> {
  await db.delete(accountChanges).where(lt(accountChanges.expiresAt, now));
}
