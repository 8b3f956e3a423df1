import { CallError } from '@mozhan/contract/errors.ts';
import { and, eq, gt, like, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { SUPER_ROLE } from '../../access/index.ts';
import { accountRoles, roles } from '../../access/tables.ts';
import { LOCK_DURATION, LOCK_THRESHOLD, MAX_CODE_ATTEMPTS } from '../rules/users.ts';
import { type Account, accounts, codes, qrTickets, signInFailures, spentChallenges } from '../tables.ts';

/** Matches the user name, e-mail or phone. */
export async function findAccountByName(db: Db, name: string): Promise<Account | null> {
  const [account] = await db
    .select()
    .from(accounts)
    .where(or(eq(accounts.name, name), eq(accounts.email, name), eq(accounts.phone, name)));
  return account ?? null;
}

export async function getAccount(db: Db, userId: string): Promise<Account> {
  const [account] = await db.select().from(accounts).where(eq(accounts.userId, userId));
  if (account === undefined) throw new CallError('NOT_FOUND');
  return account;
}

/** Locks the row, so that a concurrent password change or disabling either waits or is visible. */
export async function lockAccount(db: Db, userId: string): Promise<Account> {
  const [account] = await db.select().from(accounts).where(eq(accounts.userId, userId)).for('update');
  if (account === undefined) throw new CallError('NOT_FOUND');
  return account;
}

export async function insertAccount(db: Db, account: typeof accounts.$inferInsert): Promise<void> {
  await db.insert(accounts).values(account);
}

export async function updateAccount(
  db: Db,
  userId: string,
  fields: Partial<typeof accounts.$inferInsert>,
): Promise<void> {
  await db.update(accounts).set(fields).where(eq(accounts.userId, userId));
}

/** Returns false when the time step was used before, also by a concurrent request. */
export async function updateTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const rows = await db
    .update(accounts)
    .set({ totpStep: step })
    .where(and(eq(accounts.userId, userId), lt(accounts.totpStep, step)))
    .returning({ userId: accounts.userId });
  return rows.length > 0;
}

export async function hasSuperAdmin(db: Db): Promise<boolean> {
  const rows = await db
    .select({ userId: accounts.userId })
    .from(accounts)
    .innerJoin(accountRoles, eq(accountRoles.userId, accounts.userId))
    .innerJoin(roles, eq(roles.id, accountRoles.roleId))
    .where(and(eq(roles.code, SUPER_ROLE), eq(roles.enabled, true), eq(accounts.enabled, true)))
    .limit(1);
  return rows.length > 0;
}

export interface SignInFailures {
  failures: number;
  lastAt: Date;
}

export async function findFailures(
  db: Db,
  account: string,
  address: string,
  now: Date,
): Promise<SignInFailures | null> {
  const [row] = await db
    .select({ failures: signInFailures.failures, lastAt: signInFailures.lastAt })
    .from(signInFailures)
    .where(
      and(
        eq(signInFailures.account, account),
        eq(signInFailures.address, address),
        gt(signInFailures.lastAt, new Date(now.getTime() - LOCK_DURATION)),
      ),
    );
  return row ?? null;
}

/** Counts an attempt before it is checked, so that parallel attempts cannot bypass the lock; null when locked. */
export async function addFailure(
  db: Db,
  account: string,
  address: string,
  now: Date,
): Promise<number | null> {
  const old = new Date(now.getTime() - LOCK_DURATION);
  const expired = lt(signInFailures.lastAt, old);
  const [row] = await db
    .insert(signInFailures)
    .values({ account, address, failures: 1, lastAt: now })
    .onConflictDoUpdate({
      target: [signInFailures.account, signInFailures.address],
      set: {
        failures: sql`case when ${expired} then 1 else ${signInFailures.failures} + 1 end`,
        lastAt: now,
      },
      setWhere: or(expired, lt(signInFailures.failures, LOCK_THRESHOLD)),
    })
    .returning({ failures: signInFailures.failures });
  return row?.failures ?? null;
}

/** Without `address`, removes the failures from all addresses. */
export async function removeFailures(db: Db, account: string, address?: string): Promise<void> {
  await db
    .delete(signInFailures)
    .where(
      and(
        eq(signInFailures.account, account),
        address === undefined ? undefined : eq(signInFailures.address, address),
      ),
    );
}

/** Returns false when the challenge was used before. */
export async function insertSpentChallenge(db: Db, signature: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insert(spentChallenges)
    .values({ signature, expiresAt })
    .onConflictDoNothing()
    .returning({ signature: spentChallenges.signature });
  return rows.length > 0;
}

type Purpose = (typeof codes.$inferSelect)['purpose'];

export async function findCode(db: Db, purpose: Purpose, target: string) {
  const [row] = await db
    .select()
    .from(codes)
    .where(and(eq(codes.purpose, purpose), eq(codes.target, target)));
  return row ?? null;
}

export async function replaceCode(db: Db, code: typeof codes.$inferInsert): Promise<void> {
  await db
    .insert(codes)
    .values(code)
    .onConflictDoUpdate({ target: [codes.purpose, codes.target], set: { ...code, attempts: 0 } });
}

/** Counts an attempt and returns the code's hash, or null when the code expired or has no attempts left. */
export async function countCodeAttempt(db: Db, purpose: Purpose, target: string, now: Date) {
  const [row] = await db
    .update(codes)
    .set({ attempts: sql`${codes.attempts} + 1` })
    .where(
      and(
        eq(codes.purpose, purpose),
        eq(codes.target, target),
        gt(codes.expiresAt, now),
        lt(codes.attempts, MAX_CODE_ATTEMPTS),
      ),
    )
    .returning({ hash: codes.hash });
  return row ?? null;
}

/** Returns false when a concurrent request used the code. */
export async function removeCode(db: Db, purpose: Purpose, target: string, hash: Buffer): Promise<boolean> {
  const rows = await db
    .delete(codes)
    .where(and(eq(codes.purpose, purpose), eq(codes.target, target), eq(codes.hash, hash)))
    .returning({ target: codes.target });
  return rows.length > 0;
}

export async function removeCodes(db: Db, userId: string, way?: 'mail' | 'sms'): Promise<void> {
  const isMail = or(eq(codes.target, userId), like(codes.target, '%@%'));
  const isOfWay = way === undefined ? undefined : way === 'mail' ? isMail : sql`not ${isMail}`;
  await db.delete(codes).where(and(eq(codes.userId, userId), isOfWay));
}

export async function insertTicket(db: Db, ticket: typeof qrTickets.$inferInsert): Promise<void> {
  await db.insert(qrTickets).values(ticket);
}

export async function findTicket(db: Db, hash: Buffer, lock = false) {
  const query = db.select().from(qrTickets).where(eq(qrTickets.hash, hash));
  const [ticket] = await (lock ? query.for('update') : query);
  return ticket ?? null;
}

export async function updateTicket(
  db: Db,
  hash: Buffer,
  fields: Partial<typeof qrTickets.$inferInsert>,
): Promise<void> {
  await db.update(qrTickets).set(fields).where(eq(qrTickets.hash, hash));
}

export async function removeTickets(db: Db, userId: string): Promise<void> {
  await db.delete(qrTickets).where(eq(qrTickets.userId, userId));
}

/** Returns true only once, for the poll that gets the token. */
export async function claimTicket(db: Db, hash: Buffer): Promise<boolean> {
  const rows = await db
    .update(qrTickets)
    .set({ claimed: true })
    .where(and(eq(qrTickets.hash, hash), eq(qrTickets.status, 'confirmed'), eq(qrTickets.claimed, false)))
    .returning({ hash: qrTickets.hash });
  return rows.length > 0;
}

export async function removeExpiredSignInData(db: Db, now: Date): Promise<void> {
  await db.delete(qrTickets).where(lt(qrTickets.expiresAt, now));
  await db.delete(codes).where(lt(codes.expiresAt, now));
  await db.delete(spentChallenges).where(lt(spentChallenges.expiresAt, now));
  await db.delete(signInFailures).where(lt(signInFailures.lastAt, new Date(now.getTime() - LOCK_DURATION)));
}

/** The user sees the reason until the address is verified again. */
export async function markBouncedAddress(db: Db, email: string, reason: string): Promise<void> {
  await db.update(accounts).set({ emailBounce: reason }).where(eq(accounts.email, email));
}
