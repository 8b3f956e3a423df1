import { tokenScopes } from '@mozhan/contract/define.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { identity } from '@mozhan/contract/users.ts';
import { and, desc, eq, lt } from 'drizzle-orm';
import type pg from 'pg';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { parseRows, timestamp } from '../../../../db/rows.ts';
import { type ApiTokenRow, apiTokens } from '../tables.ts';

/** A valid token with everything a request needs to know about its owner. */
const activeTokenRow = z.object({
  hash: z.string(),
  id: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  used_at: timestamp.nullable(),
  user_id: z.string(),
  account: z.string(),
  display_name: z.string(),
  cur_identity: identity,
  must_change_password: z.boolean(),
});
export type ActiveToken = z.output<typeof activeTokenRow>;

export async function listActiveTokens(pool: pg.Pool, hashes: Buffer[], now: Date): Promise<ActiveToken[]> {
  const result = await pool.query({
    name: 'find-api-tokens',
    text: `
      select encode(t.hash, 'base64') as hash, t.id, t.scopes, t.used_at, u.id as user_id,
        a.name as account, u.display_name, u.cur_identity, a.must_change_password
      from api_tokens t
      join users u on u.id = t.user_id
      join accounts a on a.user_id = u.id
      where t.hash = any($1) and a.enabled and (t.expires_at is null or t.expires_at > $2)`,
    values: [hashes, now],
  });
  return parseRows(activeTokenRow, result);
}

export async function updateTokenUse(db: Db, id: string, now: Date, address: string): Promise<void> {
  await db.update(apiTokens).set({ usedAt: now, usedAddress: address }).where(eq(apiTokens.id, id));
}

export const listTokens = (db: Db, userId: string): Promise<ApiTokenRow[]> =>
  db.select().from(apiTokens).where(eq(apiTokens.userId, userId)).orderBy(desc(apiTokens.id));

export const countTokens = (db: Db, userId: string): Promise<number> =>
  db.$count(apiTokens, eq(apiTokens.userId, userId));

export async function insertToken(db: Db, token: typeof apiTokens.$inferInsert): Promise<ApiTokenRow> {
  const [row] = await db.insert(apiTokens).values(token).returning();
  if (row === undefined) throw new Error('not inserted');
  return row;
}

export async function removeToken(db: Db, userId: string, id: string): Promise<void> {
  const rows = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.id, id), eq(apiTokens.userId, userId)))
    .returning({ id: apiTokens.id });
  if (rows.length === 0) throw new CallError('NOT_FOUND', { message: '没有找到这个令牌' });
}

export async function removeUserTokens(db: Db, userId: string): Promise<void> {
  await db.delete(apiTokens).where(eq(apiTokens.userId, userId));
}

export async function removeExpiredTokens(db: Db, before: Date): Promise<void> {
  await db.delete(apiTokens).where(lt(apiTokens.expiresAt, before));
}
