import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { networkOf } from '../../../../address.ts';
import type { Config } from '../../../../config/config.ts';
import { afterCommit, type Ctx, inTransaction, type Services, type Viewer } from '../../../../ctx.ts';
import { createBatchLoader } from '../../../../db/batch.ts';
import { createDb } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { createLookup } from '../../../../db/lookup.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { lockAccount, removeTickets, updateAccount } from '../queries/accounts.ts';
import { saveSignInNetwork } from '../queries/attempts.ts';
import * as queries from '../queries/sessions.ts';
import { listStaffSessions } from '../queries/staff-sessions.ts';
import { createUsersWithAccountQuery, updateUser } from '../queries/users.ts';
import {
  DAY_MS,
  HOUR_MS,
  REAUTH_LIFETIME,
  REPLACED_TOKEN_LIFETIME,
  STAFF_USE_RECORD_INTERVAL,
  TOKEN_LIFETIME,
  TOKEN_RENEWAL_AGE,
  USE_RECORD_INTERVAL,
} from '../rules/users.ts';
import { hashToken, newToken } from '../secrets.ts';
import type { Account, sessions } from '../tables.ts';
import { toCurrentUser } from '../views/users.ts';
import { notify } from './notices.ts';
import { recordSignIn } from './sign-in-log.ts';

type Via = (typeof sessions.$inferSelect)['via'];

const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms);

export const findUserWithAccount = createLookup((db) => {
  const list = createUsersWithAccountQuery(db);
  return async (ids) => new Map((await list(ids)).map((row) => [row.user.id, row]));
});

export async function getCurrentUser(ctx: Ctx, userId: string): Promise<CurrentUser> {
  const user = await findUserWithAccount(ctx, userId);
  if (user === null) throw new CallError('NOT_FOUND', { message: '没有找到这位用户' });
  return toCurrentUser(user, ctx.now);
}

async function cancelClosing(ctx: Ctx, userId: string): Promise<void> {
  await updateAccount(ctx.db, userId, { closingAt: null });
  await notify(ctx, { userId, kind: 'system', text: '你重新登录了，注销账号的申请已撤销。' });
}

/**
 * Signs a user in; the response carries the token, and a new device leads to a notice. The account is checked again
 * under its lock. A sign-in counts as re-authentication, except by QR code, which proves only a signed-in device.
 */
export async function startSession(
  ctx: Ctx,
  { userId, passwordHash }: Account,
  via: Via,
  provesOwner = via !== 'qrcode',
): Promise<void> {
  const account = await lockAccount(ctx.db, userId);
  if (!account.enabled) throw new CallError('ACCOUNT_DISABLED');
  if (account.passwordHash !== passwordHash) throw new CallError('WRONG_PASSWORD');
  if (account.closingAt !== null) await cancelClosing(ctx, userId);
  const { device, address, region } = ctx.requester;
  const isKnown = via === 'register' || (await queries.hasSession(ctx.db, userId, device));
  const token = newToken();
  const sessionId = newId();
  await queries.insertSession(ctx.db, {
    id: sessionId,
    userId,
    via,
    device,
    address,
    region,
    createdAt: ctx.now,
    renewedAt: ctx.now,
    usedAt: ctx.now,
    reauthUntil: provesOwner ? addMs(ctx.now, REAUTH_LIFETIME) : null,
  });
  await queries.insertToken(ctx.db, {
    hash: hashToken(token),
    sessionId,
    issuedAt: ctx.now,
    usedAt: ctx.now,
    expiresAt: addMs(ctx.now, TOKEN_LIFETIME),
  });
  await updateUser(ctx.db, userId, { region });
  await saveSignInNetwork(ctx.db, userId, networkOf(address), ctx.now);
  if (!isKnown) {
    const location = region === '' ? '' : `（${region}）`;
    await notify(ctx, {
      userId,
      kind: 'system',
      text: `你的账号在新设备上登录：${device}${location}。如果不是你本人，请尽快修改密码。`,
    });
  }
  ctx.reply.token = token;
  await recordSignIn(ctx, account, via);
}

/** Also closes the live connections; returns the ids of the ended sessions. */
export async function endSessions(
  ctx: Ctx,
  filter: { userId: string; only?: string; except?: string },
): Promise<string[]> {
  const ended = await queries.removeSessions(ctx.db, filter);
  // A confirmed QR ticket could otherwise start a new session afterwards.
  if (filter.only === undefined) await removeTickets(ctx.db, filter.userId);
  afterCommit(ctx, () => ctx.services.live.disconnectSessions(ended));
  return ended;
}

/** Most recently used first, so the current session is marked as used before. */
export async function listOwnSessions(ctx: Ctx, { id, sessionId }: Viewer, query: PageQuery) {
  await queries.updateSessionUsed(ctx.db, sessionId, ctx.now, ctx.now);
  return listStaffSessions(ctx.db, { ...query, userId: id, byUse: true, isDescending: true });
}

/** Ends one session, or all but the current one. */
export async function endOwnSessions(ctx: Ctx, viewer: Viewer, id: string | undefined): Promise<void> {
  const filter = id === undefined ? { except: viewer.sessionId } : { only: id };
  const ended = await inTransaction(ctx, (ctx) => endSessions(ctx, { userId: viewer.id, ...filter }));
  if (id !== undefined && ended.length === 0)
    throw new CallError('NOT_FOUND', { message: '这次登录已经结束' });
  if (id === viewer.sessionId) ctx.reply.token = '';
}

export interface AuthenticatedSession {
  viewer: Viewer;
  /** The new token, when the current one is due for renewal. */
  renewal: string | null;
}

export interface SessionFinder {
  /** `isIdle`: a page polls without user activity, which does not count as use of the session. */
  find: (token: string, isIdle?: boolean) => Promise<AuthenticatedSession | null>;
  /** For connections without a response header that could carry a new token. */
  findWithoutRenewal: (token: string) => Promise<Viewer | null>;
  /** Loads the current state of a viewer; null when the session has ended. */
  refreshViewer: (viewer: Viewer) => Promise<Viewer | null>;
}

function getSessionLimits(now: Date, { staffIdleHours, staffSessionDays }: Config): queries.SessionLimits {
  return {
    now,
    staffUsedAfter: addMs(now, -staffIdleHours * HOUR_MS),
    staffStartedAfter: addMs(now, -staffSessionDays * DAY_MS),
  };
}

export async function expireSessions(ctx: Ctx): Promise<void> {
  const ended = await inTransaction(ctx, (ctx) =>
    queries.removeExpiredSessions(ctx.db, getSessionLimits(ctx.now, ctx.services.config)),
  );
  ctx.services.live.disconnectSessions(ended);
}

export async function findSessionViewer({ services, now }: Ctx, sessionId: string): Promise<Viewer | null> {
  const row = await queries.findSessionToken(
    services.pool,
    sessionId,
    getSessionLimits(now, services.config),
  );
  return row === null ? null : toViewer(row);
}

/** Finds the viewer of a token; concurrent lookups are batched. */
export function createSessionFinder({ pool, lookupPool, clock, config }: Services): SessionFinder {
  const db = createDb(pool);
  const find = createBatchLoader(async (keys) => {
    const rows = await queries.listTokens(
      lookupPool,
      keys.map((key) => Buffer.from(key, 'base64')),
      getSessionLimits(clock(), config),
    );
    return new Map(rows.map((row) => [row.hash, row]));
  });

  async function renew(row: queries.TokenRow, now: Date, isIdle: boolean): Promise<string | null> {
    if (row.used_at === null) {
      const token = {
        hash: Buffer.from(row.hash, 'base64'),
        sessionId: row.session_id,
        issuedAt: row.issued_at,
      };
      await queries.markTokenUsed(db, token, now, addMs(now, REPLACED_TOKEN_LIFETIME));
    }
    const recordBefore = addMs(now, row.role_count > 0 ? -STAFF_USE_RECORD_INTERVAL : -USE_RECORD_INTERVAL);
    if (!isIdle && row.session_used_at < recordBefore)
      await queries.updateSessionUsed(db, row.session_id, now, recordBefore);
    const renewBefore = addMs(now, -TOKEN_RENEWAL_AGE);
    if (row.issued_at >= renewBefore || row.renewed_at >= renewBefore) return null;
    return db.transaction(async (tx) => {
      if (!(await queries.markRenewed(tx, row.session_id, now, renewBefore))) return null;
      const token = newToken();
      await queries.insertToken(tx, {
        hash: hashToken(token),
        sessionId: row.session_id,
        issuedAt: now,
        expiresAt: addMs(now, TOKEN_LIFETIME),
      });
      return token;
    });
  }

  async function findRow(token: string): Promise<queries.TokenRow | null> {
    return token.length === 43 ? find(hashToken(token).toString('base64')) : null;
  }

  return {
    async find(token, isIdle = false) {
      const row = await findRow(token);
      return row === null ? null : { viewer: toViewer(row), renewal: await renew(row, clock(), isIdle) };
    },
    async findWithoutRenewal(token) {
      const row = await findRow(token);
      return row === null ? null : toViewer(row);
    },
    async refreshViewer({ sessionId }) {
      const row = await queries.findSessionToken(pool, sessionId, getSessionLimits(clock(), config));
      return row === null ? null : toViewer(row);
    },
  };
}

const toViewer = (row: queries.TokenRow): Viewer => ({
  id: row.user_id,
  sessionId: row.session_id,
  account: row.account,
  displayName: row.display_name,
  curIdentity: row.cur_identity,
  isStaff: row.role_count > 0,
  isSuper: row.is_super,
  permissions: row.permissions,
  mustChangePassword: row.must_change_password,
});
