import type { z } from 'zod';
import { CallError, invalid } from '#contract/errors.ts';
import type * as calls from '#contract/tokens.ts';
import { type Ctx, inTx, type Services, type Viewer } from '../../../ctx.ts';
import { createBatch } from '../../../db/batch.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { notify } from '../../notices/index.ts';
import { getAccount, lockAccount } from '../queries/accounts.ts';
import * as queries from '../queries/tokens.ts';
import { API_TOKEN, DAY, isDueToNote, MOST_TOKENS } from '../rules.ts';
import { digest, newToken, verifyPassword } from '../secrets.ts';
import type { ApiTokenRow } from '../tables.ts';
import { endSessions } from './sessions.ts';

const wrongPassword = () =>
  new CallError('WRONG_PASSWORD', { message: '密码不对', fields: { password: '密码不对' } });

/** For who knows the password, not merely a page left open. */
export async function createToken(
  ctx: Ctx,
  viewer: Viewer,
  { name, scopes, days, password }: z.output<typeof calls.createToken.input>,
): Promise<{ row: ApiTokenRow; token: string }> {
  const { passwordHash } = await getAccount(ctx.db, viewer.id);
  if (!(await verifyPassword(ctx, passwordHash, password))) throw wrongPassword();
  const token = API_TOKEN + newToken();
  return inTx(ctx, async (ctx) => {
    // Also lets one wait for another, so that there are never too many.
    const account = await lockAccount(ctx.db, viewer.id);
    if (account.passwordHash !== passwordHash) throw wrongPassword();
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
    await notify(ctx, {
      userId: viewer.id,
      kind: 'system',
      text: `你的账号新建了 API 令牌「${name}」。如果不是你本人，请删除它并修改密码。`,
      target: { id: row.id, title: name, url: '/account/settings.html?tab=security' },
    });
    return { row, token };
  });
}

/** Whatever lets somebody in ends: every session and every token. */
export async function endAccess(ctx: Ctx, userId: string): Promise<void> {
  await endSessions(ctx, { userId });
  await queries.removeTokensOf(ctx.db, userId);
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
