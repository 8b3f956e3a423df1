import { CallError } from '#contract/errors.ts';
import type { CurrentUser } from '#contract/users.ts';
import { afterCommit, type Ctx, inTx, type Services, type Viewer } from '../../../ctx.ts';
import { createBatch } from '../../../db/batch.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { createLookup } from '../../../lookup.ts';
import { notify } from '../../notices/index.ts';
import { lockAccount, removeTickets, updateAccount } from '../queries/accounts.ts';
import { createPeopleQuery, updateUser } from '../queries/people.ts';
import * as queries from '../queries/sessions.ts';
import { NOTE_USE_AFTER, RENEW_AFTER, REPLACED_LIFE, TOKEN_LIFE } from '../rules.ts';
import { digest, newToken } from '../secrets.ts';
import type { Account, sessions } from '../tables.ts';
import { toCurrentUser } from '../views.ts';

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
 * looked at once more under lock: what was checked before may have changed meanwhile.
 */
export async function startSession(ctx: Ctx, { userId, passwordHash }: Account, via: Via): Promise<void> {
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
  });
  await queries.insertToken(ctx.db, {
    hash: digest(token),
    sessionId,
    issuedAt: ctx.now,
    usedAt: ctx.now,
    expiresAt: later(ctx.now, TOKEN_LIFE),
  });
  await updateUser(ctx.db, userId, { region });
  if (!isKnown) {
    const place = region === '' ? '' : `（${region}）`;
    await notify(ctx, {
      userId,
      kind: 'system',
      text: `你的账号在新设备上登录：${device}${place}。如果不是你本人，请尽快修改密码。`,
    });
  }
  ctx.reply.token = token;
}

/** Ends sessions at once: their tokens are dead and their live connections cut. */
export async function endSessions(
  ctx: Ctx,
  which: { userId: string; only?: string; except?: string },
): Promise<void> {
  const ended = await queries.removeSessions(ctx.db, which);
  // A sign-in that waits to be fetched would outlive them.
  if (which.only === undefined) await removeTickets(ctx.db, which.userId);
  afterCommit(ctx, () => ctx.services.live.endSessions(ended));
}

export function signOut(ctx: Ctx, viewer: Viewer, everywhere: boolean): Promise<void> {
  ctx.reply.token = '';
  return inTx(ctx, (ctx) =>
    endSessions(ctx, everywhere ? { userId: viewer.id } : { userId: viewer.id, only: viewer.sessionId }),
  );
}

export interface SignedIn {
  viewer: Viewer;
  /** The token's successor, when it is time for one. */
  renewal: string | null;
}

export interface SessionFinder {
  find: (token: string) => Promise<SignedIn | null>;
  /** Without renewing: for connections that have no response header to carry the successor. */
  peek: (token: string) => Promise<Viewer | null>;
  /** As somebody is by now who was found before; null: the session has ended. */
  again: (viewer: Viewer) => Promise<Viewer | null>;
}

/** Finds who holds a token. Requests that come together are looked up together. */
export function createSessionFinder({ pool, lookups, clock }: Services): SessionFinder {
  const db = createDb(pool);
  const find = createBatch(async (keys) => {
    const rows = await queries.listTokens(
      lookups,
      keys.map((key) => Buffer.from(key, 'base64')),
      clock(),
    );
    return new Map(rows.map((row) => [row.hash, row]));
  });

  async function renew(row: queries.TokenRow, now: Date): Promise<string | null> {
    if (row.used_at === null) {
      const token = {
        hash: Buffer.from(row.hash, 'base64'),
        sessionId: row.session_id,
        issuedAt: row.issued_at,
      };
      await queries.updateUsed(db, token, now, later(now, REPLACED_LIFE));
    }
    const unnoted = later(now, -NOTE_USE_AFTER);
    if (row.session_used_at < unnoted) await queries.updateSessionUsed(db, row.session_id, now, unnoted);
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
    async find(token) {
      const row = await findRow(token);
      return row === null ? null : { viewer: toViewer(row), renewal: await renew(row, clock()) };
    },
    async peek(token) {
      const row = await findRow(token);
      return row === null ? null : toViewer(row);
    },
    async again({ sessionId }) {
      const row = await queries.findTokenOf(pool, sessionId, clock());
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
