import type { Permission } from '@mozhan/contract/client.ts';
import { identity } from '@mozhan/contract/users.ts';
import { and, eq, getTableName, inArray, lt, lte, ne, or, sql } from 'drizzle-orm';
import type pg from 'pg';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, timestamp } from '../../../../db/rows.ts';
import { accountRoles, menus, roleMenus, roles } from '../../access/tables.ts';
import { TOKEN_LIFETIME } from '../rules/users.ts';
import { sessions, sessionTokens } from '../tables.ts';

/** A menu may name a permission that no longer exists; it has no effect. */
const permission = z.custom<Permission>((value) => typeof value === 'string');

/** A valid token with everything a request needs to know about its owner. */
const tokenRow = z.object({
  hash: z.string(),
  issued_at: timestamp,
  used_at: timestamp.nullable(),
  session_id: z.string(),
  renewed_at: timestamp,
  session_used_at: timestamp,
  user_id: z.string(),
  account: z.string(),
  display_name: z.string(),
  cur_identity: identity,
  must_change_password: z.boolean(),
  role_count: z.int(),
  is_super: z.boolean(),
  permissions: z.array(permission),
});
export type TokenRow = z.output<typeof tokenRow>;

/** Staff are accounts with an enabled role. */
export interface SessionLimits {
  now: Date;
  staffUsedAfter: Date;
  staffStartedAfter: Date;
}

const TOKENS_SQL = `
  select encode(t.hash, 'base64') as hash, t.issued_at, t.used_at, s.id as session_id, s.renewed_at,
    s.used_at as session_used_at,
    u.id as user_id, a.name as account, u.display_name, u.cur_identity, a.must_change_password,
    p.role_count, p.is_super, p.permissions
  from session_tokens t
  join sessions s on s.id = t.session_id
  join users u on u.id = s.user_id
  join accounts a on a.user_id = u.id
  cross join lateral (
    select count(distinct r.id)::int as role_count,
      coalesce(bool_or(r.code = 'super'), false) as is_super,
      coalesce(array_agg(distinct m.permission) filter (where m.permission is not null), '{}') as permissions
    from ${getTableName(accountRoles)} ar
    join ${getTableName(roles)} r on r.id = ar.role_id and r.enabled
    left join ${getTableName(roleMenus)} rm on rm.role_id = r.id
    left join ${getTableName(menus)} m on m.id = rm.menu_id
    where ar.user_id = u.id
  ) p
  where a.enabled and t.expires_at > $2 and (p.role_count = 0 or (s.used_at > $3 and s.created_at > $4))`;

const toSqlValues = ({ now, staffUsedAfter, staffStartedAfter }: SessionLimits): Date[] => [
  now,
  staffUsedAfter,
  staffStartedAfter,
];

export async function listTokens(
  pool: pg.Pool,
  hashes: Buffer[],
  limits: SessionLimits,
): Promise<TokenRow[]> {
  const result = await pool.query({
    name: 'find-tokens',
    text: `${TOKENS_SQL} and t.hash = any($1)`,
    values: [hashes, ...toSqlValues(limits)],
  });
  return parseRows(tokenRow, result);
}

export async function findSessionToken(
  pool: pg.Pool,
  sessionId: string,
  limits: SessionLimits,
): Promise<TokenRow | null> {
  const result = await pool.query(`${TOKENS_SQL} and t.session_id = $1 limit 1`, [
    sessionId,
    ...toSqlValues(limits),
  ]);
  return parseRows(tokenRow, result)[0] ?? null;
}

export async function insertSession(db: Db, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session);
}

export async function insertToken(db: Db, token: typeof sessionTokens.$inferInsert): Promise<void> {
  await db.insert(sessionTokens).values(token);
}

/** Updates only rows older than `before`, so that one of several concurrent requests writes. */
export async function updateSessionUsed(db: Db, sessionId: string, now: Date, before: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ usedAt: now })
    .where(and(eq(sessions.id, sessionId), lt(sessions.usedAt, before)));
}

/** Returns true for the one caller that may issue the next token of the session. */
export async function markRenewed(db: Db, sessionId: string, now: Date, before: Date): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ renewedAt: now })
    .where(and(eq(sessions.id, sessionId), lt(sessions.renewedAt, before)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

/** Marks a new token as used for the first time and shortens the lifetime of its predecessors. */
export async function markTokenUsed(
  db: Db,
  token: { hash: Buffer; sessionId: string; issuedAt: Date },
  now: Date,
  othersUntil: Date,
): Promise<void> {
  await db.update(sessionTokens).set({ usedAt: now }).where(eq(sessionTokens.hash, token.hash));
  await db
    .update(sessionTokens)
    .set({ expiresAt: sql`least(${sessionTokens.expiresAt}, ${othersUntil.toISOString()}::timestamptz)` })
    .where(and(eq(sessionTokens.sessionId, token.sessionId), lt(sessionTokens.issuedAt, token.issuedAt)));
}

export async function hasSession(db: Db, userId: string, device?: string): Promise<boolean> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), device === undefined ? undefined : eq(sessions.device, device)))
    .limit(1);
  return rows.length > 0;
}

export async function removeSessions(
  db: Db,
  which: { userId: string; only?: string; except?: string },
): Promise<string[]> {
  const rows = await db
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, which.userId),
        which.only === undefined ? undefined : eq(sessions.id, which.only),
        which.except === undefined ? undefined : ne(sessions.id, which.except),
      ),
    )
    .returning({ id: sessions.id });
  return rows.map((row) => row.id);
}

/** Removes expired tokens, sessions without a valid one, and idle or old staff sessions; returns the sessions' ids. */
export async function removeExpiredSessions(db: Db, limits: SessionLimits): Promise<string[]> {
  const { now, staffUsedAfter, staffStartedAfter } = limits;
  await db.delete(sessionTokens).where(lt(sessionTokens.expiresAt, now));
  const staff = db
    .select({ userId: accountRoles.userId })
    .from(accountRoles)
    .innerJoin(roles, and(eq(roles.id, accountRoles.roleId), eq(roles.enabled, true)));
  const rows = await db
    .delete(sessions)
    .where(
      or(
        lt(sessions.renewedAt, new Date(now.getTime() - TOKEN_LIFETIME)),
        and(
          inArray(sessions.userId, staff),
          or(lte(sessions.usedAt, staffUsedAfter), lte(sessions.createdAt, staffStartedAfter)),
        ),
      ),
    )
    .returning({ id: sessions.id });
  return rows.map((row) => row.id);
}
