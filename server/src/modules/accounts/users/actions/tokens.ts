import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/tokens.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, type Services, type Viewer } from '../../../../ctx.ts';
import { createBatchLoader } from '../../../../db/batch.ts';
import { createDb } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { getAccount, lockAccount } from '../queries/accounts.ts';
import * as queries from '../queries/tokens.ts';
import { API_TOKEN_PREFIX, DAY_MS, isUseRecordDue, MAX_API_TOKENS } from '../rules/users.ts';
import { hashToken, newToken, verifyPassword } from '../secrets.ts';
import type { ApiTokenRow } from '../tables.ts';
import { recordAccountChange, requireChangeUnlocked } from './account-changes.ts';
import { createOwnPasswordError } from './own-password.ts';
import { reauthenticate } from './reauth.ts';
import { hasReauth, requireReauth } from './require-reauth.ts';
import { endSessions } from './sessions.ts';
import { countSignInFailure } from './sign-in-limits.ts';

type NewToken = z.output<typeof calls.createToken.input>;

/** Clients that send the password along need not re-authenticate first, unless the account has two-factor. */
async function checkTokenPassword(
  ctx: Ctx,
  viewer: Viewer,
  { password, challenge }: NewToken,
): Promise<void> {
  if (password === undefined) return;
  const account = await getAccount(ctx.db, viewer.id);
  if (!(await hasReauth(ctx, viewer))) {
    if (!account.totpOn) await reauthenticate(ctx, viewer, { method: 'password', password, challenge });
    return;
  }
  if (await verifyPassword(ctx, account.passwordHash, password)) return;
  await countSignInFailure(ctx, { account: account.name, challenge });
  throw createOwnPasswordError();
}

export async function createApiToken(
  ctx: Ctx,
  viewer: Viewer,
  input: NewToken,
): Promise<{ row: ApiTokenRow; token: string }> {
  const { name, scopes, days } = input;
  await checkTokenPassword(ctx, viewer, input);
  const token = API_TOKEN_PREFIX + newToken();
  return inTransaction(ctx, async (ctx) => {
    // The lock also prevents concurrent requests from exceeding the limit.
    const account = await lockAccount(ctx.db, viewer.id);
    await requireReauth(ctx, viewer);
    await requireChangeUnlocked(ctx, viewer.id, 'token');
    if ((await queries.countTokens(ctx.db, viewer.id)) >= MAX_API_TOKENS)
      throw invalidField('name', `令牌最多 ${MAX_API_TOKENS} 个，请先删除不用的`);
    const row = await queries.insertToken(ctx.db, {
      id: newId(),
      userId: viewer.id,
      name,
      hash: hashToken(token),
      scopes,
      expiresAt: days === null ? null : new Date(ctx.now.getTime() + days * DAY_MS),
      createdAt: ctx.now,
    });
    await recordAccountChange(ctx, account, { kind: 'token', value: name });
    return { row, token };
  });
}

export async function revokeAccess(ctx: Ctx, userId: string, exceptSession?: string): Promise<void> {
  await endSessions(ctx, { userId, ...(exceptSession === undefined ? {} : { except: exceptSession }) });
  await queries.removeUserTokens(ctx.db, userId);
}

export async function signOut(ctx: Ctx, viewer: Viewer, everywhere: boolean): Promise<void> {
  ctx.reply.token = '';
  await inTransaction(ctx, async (ctx) => {
    if (everywhere) await revokeAccess(ctx, viewer.id);
    else await endSessions(ctx, { userId: viewer.id, only: viewer.sessionId });
  });
}

export type ApiTokenFinder = (token: string, address: string) => Promise<Viewer | null>;

/** Finds the owner of an API token, never as staff: tokens cannot make calls that require a permission. */
export function createApiTokenFinder({ pool, lookupPool, clock }: Services): ApiTokenFinder {
  const db = createDb(pool);
  const find = createBatchLoader(async (keys) => {
    const hashes = keys.map((key) => Buffer.from(key, 'base64'));
    return new Map(
      (await queries.listActiveTokens(lookupPool, hashes, clock())).map((row) => [row.hash, row]),
    );
  });
  return async (token, address) => {
    const row = await find(hashToken(token).toString('base64'));
    if (row === null) return null;
    const now = clock();
    if (isUseRecordDue(row, now)) await queries.updateTokenUse(db, row.id, now, address);
    return {
      id: row.user_id,
      sessionId: row.id,
      account: row.account,
      displayName: row.display_name,
      curIdentity: row.cur_identity,
      isStaff: false,
      isSuper: false,
      permissions: [],
      mustChangePassword: row.must_change_password,
      scopes: row.scopes,
    };
  };
}
