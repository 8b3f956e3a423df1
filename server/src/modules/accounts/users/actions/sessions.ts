import { CallError } from '@mozhan/contract/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { networkOf } from '../../../../address.ts';
import type { Config } from '../../../../config/config.ts';
import { afterCommit, type Ctx, inTx, type Services, type Viewer } from '../../../../ctx.ts';
import { createBatch } from '../../../../db/batch.ts';
import { createDb } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { createLookup } from '../../../../db/lookup.ts';
import type { PageQuery } from '../../../../db/page.ts';
import { lockAccount, removeTickets, updateAccount } from '../queries/accounts.ts';
import { insertNetwork } from '../queries/guesses.ts';
import { createPeopleQuery, updateUser } from '../queries/people.ts';
import * as queries from '../queries/sessions.ts';
import { listStaffSessions } from '../queries/staff-sessions.ts';
import {
  DAY,
  HOUR,
  NOTE_STAFF_USE_AFTER,
  NOTE_USE_AFTER,
  REAUTH_LIFE,
  RENEW_AFTER,
  REPLACED_LIFE,
  TOKEN_LIFE,
} from '../rules/users.ts';
import { digest, newToken } from '../secrets.ts';
import type { Account, sessions } from '../tables.ts';
import { toCurrentUser } from '../views/users.ts';
import { notify } from './notices.ts';

type Via = (typeof sessions.$inferSelect)['via'];

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

export const findPerson = createLookup((db) => {
  const list = createPeopleQuery(db);
  return async (ids) => new Map((await list(ids)).map((person) => [person.user.id, person]));
});

export async function getCurrentUser(ctx: Ctx, userId: string): Promise<CurrentUser> {
  const person = await findPerson(ctx, userId);
  if (person === null) throw new CallError('NOT_FOUND', { message: '没有找到这位用户' });
  return toCurrentUser(person, ctx.now);
}

/** Whoever signs in wants to stay. */
async function takeBackClosing(ctx: Ctx, userId: string): Promise<void> {
  await updateAccount(ctx.db, userId, { closingAt: null });
  await notify(ctx, { userId, kind: 'system', text: '你重新登录了，注销账号的申请已撤销。' });
}

/**
 * Signs a user in: the token goes out with the response, the user hears of a device not seen before. The account is
 * looked at once more under lock: what was checked before may have changed meanwhile. Who has just proved to be the
 * owner need not do so again at once; a QR code proves only that somebody had a signed-in device.
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
  if (account.closingAt !== null) await takeBackClosing(ctx, userId);
  const { device, address, region } = ctx.asker;
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
    reauthUntil: provesOwner ? later(ctx.now, REAUTH_LIFE) : null,
  });
  await queries.insertToken(ctx.db, {
    hash: digest(token),
    sessionId,
    issuedAt: ctx.now,
    usedAt: ctx.now,
    expiresAt: later(ctx.now, TOKEN_LIFE),
  });
  await updateUser(ctx.db, userId, { region });
  await insertNetwork(ctx.db, userId, networkOf(address), ctx.now);
  if (!isKnown) {
    const place = region === '' ? '' : `（${region}）`;
    await notify(ctx, {
      userId,
      kind: 'system',
      text: `你的账号在新设备上登录：${device}${place}。如果不是你本人，请尽快修改密码。`,
    });
  }
  ctx.reply.token = token;
  const { log } = ctx.services;
  afterCommit(ctx, () =>
    log.info({ signIn: 'succeeded', address, via, account: account.name, user: userId }, 'signed in'),
  );
}

/** Ends sessions at once: their tokens are dead and their live connections cut. Returns which. */
export async function endSessions(
  ctx: Ctx,
  which: { userId: string; only?: string; except?: string },
): Promise<string[]> {
  const ended = await queries.removeSessions(ctx.db, which);
  // A sign-in that waits to be fetched would outlive them.
  if (which.only === undefined) await removeTickets(ctx.db, which.userId);
  afterCommit(ctx, () => ctx.services.live.endSessions(ended));
  return ended;
}

/** The last used first: this session, which is used right now. */
export async function listOwnSessions(ctx: Ctx, { id, sessionId }: Viewer, query: PageQuery) {
  await queries.updateSessionUsed(ctx.db, sessionId, ctx.now, ctx.now);
  return listStaffSessions(ctx.db, { ...query, userId: id, byUse: true, isDescending: true });
}

/** One of one's own, or all but the one that asks. */
export async function endOwnSessions(ctx: Ctx, viewer: Viewer, id: string | undefined): Promise<void> {
  const which = id === undefined ? { except: viewer.sessionId } : { only: id };
  const ended = await inTx(ctx, (ctx) => endSessions(ctx, { userId: viewer.id, ...which }));
  if (id !== undefined && ended.length === 0)
    throw new CallError('NOT_FOUND', { message: '这次登录已经结束' });
  if (id === viewer.sessionId) ctx.reply.token = '';
}

export interface SignedIn {
  viewer: Viewer;
  /** The token's successor, when it is time for one. */
  renewal: string | null;
}

export interface SessionFinder {
  /** `isIdle`: a screen asks by itself while nobody is there, which is no use of the session. */
  find: (token: string, isIdle?: boolean) => Promise<SignedIn | null>;
  /** Without renewing: for connections that have no response header to carry the successor. */
  peek: (token: string) => Promise<Viewer | null>;
  /** As somebody is by now who was found before; null: the session has ended. */
  again: (viewer: Viewer) => Promise<Viewer | null>;
}

/** What a session must be younger than, or have been used after, to be live. */
function limitsAt(now: Date, { staffIdleHours, staffSessionDays }: Config): queries.SessionLimits {
  return {
    now,
    staffUsedAfter: later(now, -staffIdleHours * HOUR),
    staffBegunAfter: later(now, -staffSessionDays * DAY),
  };
}

/** Ends for good what has expired. */
export async function expireSessions(ctx: Ctx): Promise<void> {
  const ended = await inTx(ctx, (ctx) =>
    queries.removeExpiredSessions(ctx.db, limitsAt(ctx.now, ctx.services.config)),
  );
  ctx.services.live.endSessions(ended);
}

/** Who a session belongs to, as they are by now; null: it has ended. */
export async function findSessionViewer({ services, now }: Ctx, sessionId: string): Promise<Viewer | null> {
  const row = await queries.findTokenOf(services.pool, sessionId, limitsAt(now, services.config));
  return row === null ? null : toViewer(row);
}

/** Finds who holds a token. Requests that come together are looked up together. */
export function createSessionFinder({ pool, lookups, clock, config }: Services): SessionFinder {
  const db = createDb(pool);
  const find = createBatch(async (keys) => {
    const rows = await queries.listTokens(
      lookups,
      keys.map((key) => Buffer.from(key, 'base64')),
      limitsAt(clock(), config),
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
      await queries.updateUsed(db, token, now, later(now, REPLACED_LIFE));
    }
    const unnoted = later(now, row.role_count > 0 ? -NOTE_STAFF_USE_AFTER : -NOTE_USE_AFTER);
    if (!isIdle && row.session_used_at < unnoted)
      await queries.updateSessionUsed(db, row.session_id, now, unnoted);
    const due = later(now, -RENEW_AFTER);
    if (row.issued_at >= due || row.renewed_at >= due) return null;
    return db.transaction(async (tx) => {
      if (!(await queries.updateRenewed(tx, row.session_id, now, due))) return null;
      const token = newToken();
      await queries.insertToken(tx, {
        hash: digest(token),
        sessionId: row.session_id,
        issuedAt: now,
        expiresAt: later(now, TOKEN_LIFE),
      });
      return token;
    });
  }

  async function findRow(token: string): Promise<queries.TokenRow | null> {
    return token.length === 43 ? find(digest(token).toString('base64')) : null;
  }

  return {
    async find(token, isIdle = false) {
      const row = await findRow(token);
      return row === null ? null : { viewer: toViewer(row), renewal: await renew(row, clock(), isIdle) };
    },
    async peek(token) {
      const row = await findRow(token);
      return row === null ? null : toViewer(row);
    },
    async again({ sessionId }) {
      const row = await queries.findTokenOf(pool, sessionId, limitsAt(clock(), config));
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
