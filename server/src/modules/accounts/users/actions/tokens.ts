import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/tokens.ts';
import type { z } from 'zod';
import { type Ctx, inTx, type Services, type Viewer } from '../../../../ctx.ts';
import { createBatch } from '../../../../db/batch.ts';
import { createDb } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { getAccount, lockAccount } from '../queries/accounts.ts';
import * as queries from '../queries/tokens.ts';
import { API_TOKEN, DAY, isDueToNote, MOST_TOKENS } from '../rules/users.ts';
import { digest, newToken, verifyPassword } from '../secrets.ts';
import type { ApiTokenRow } from '../tables.ts';
import { recordChange, requireUnlocked } from './account-changes.ts';
import { countSignInFailure } from './guard.ts';
import { wrongOwnPassword } from './own-password.ts';
import { reauthenticate } from './reauth.ts';
import { hasReauth, requireReauth } from './require-reauth.ts';
import { endSessions } from './sessions.ts';

type NewToken = z.output<typeof calls.createToken.input>;

/** Clients that send the password along need not re-authenticate first, unless the account has two-factor. */
async function takePassword(ctx: Ctx, viewer: Viewer, { password, challenge }: NewToken): Promise<void> {
  if (password === undefined) return;
  const account = await getAccount(ctx.db, viewer.id);
  if (!(await hasReauth(ctx, viewer))) {
    if (!account.totpOn) await reauthenticate(ctx, viewer, { method: 'password', password, challenge });
    return;
  }
  if (await verifyPassword(ctx, account.passwordHash, password)) return;
  await countSignInFailure(ctx, { account: account.name, challenge });
  throw wrongOwnPassword();
}

export async function createToken(
  ctx: Ctx,
  viewer: Viewer,
  input: NewToken,
): Promise<{ row: ApiTokenRow; token: string }> {
  const { name, scopes, days } = input;
  await takePassword(ctx, viewer, input);
  const token = API_TOKEN + newToken();
  return inTx(ctx, async (ctx) => {
    // Also lets one wait for another, so that there are never too many.
    const account = await lockAccount(ctx.db, viewer.id);
    await requireReauth(ctx, viewer);
    await requireUnlocked(ctx, viewer.id, 'token');
    if ((await queries.countTokens(ctx.db, viewer.id)) >= MOST_TOKENS)
      throw invalid('name', `令牌最多 ${MOST_TOKENS} 个，请先删除不用的`);
    const row = await queries.insertToken(ctx.db, {
      id: newId(),
      userId: viewer.id,
      name,
      hash: digest(token),
      scopes,
      expiresAt: days === null ? null : new Date(ctx.now.getTime() + days * DAY),
      createdAt: ctx.now,
    });
    await recordChange(ctx, account, { kind: 'token', value: name });
    return { row, token };
  });
}

/** Whatever lets somebody in ends: every API token, and every session but the one that is to stay. */
export async function endAccess(ctx: Ctx, userId: string, exceptSession?: string): Promise<void> {
  await endSessions(ctx, { userId, ...(exceptSession === undefined ? {} : { except: exceptSession }) });
  await queries.removeTokensOf(ctx.db, userId);
}

export async function signOut(ctx: Ctx, viewer: Viewer, everywhere: boolean): Promise<void> {
  ctx.reply.token = '';
  await inTx(ctx, async (ctx) => {
    if (everywhere) await endAccess(ctx, viewer.id);
    else await endSessions(ctx, { userId: viewer.id, only: viewer.sessionId });
  });
}

export type TokenFinder = (token: string, address: string) => Promise<Viewer | null>;

/** Finds whose API token it is. They are staff no more: a token does nothing that takes a permission. */
export function createTokenFinder({ pool, lookups, clock }: Services): TokenFinder {
  const db = createDb(pool);
  const find = createBatch(async (keys) => {
    const hashes = keys.map((key) => Buffer.from(key, 'base64'));
    return new Map((await queries.listHeld(lookups, hashes, clock())).map((row) => [row.hash, row]));
  });
  return async (token, address) => {
    const row = await find(digest(token).toString('base64'));
    if (row === null) return null;
    const now = clock();
    if (isDueToNote(row, now)) await queries.updateUsed(db, row.id, now, address);
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
