import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx } from '../../../../ctx.ts';
import * as queries from '../queries/account-changes.ts';
import { findAccountByName, lockAccount, removeCodes, updateAccount } from '../queries/accounts.ts';
import { UNDONE_LOCK } from '../rules/users.ts';
import { digest, hashPassword, newPassword } from '../secrets.ts';
import type { Account, AccountChange } from '../tables.ts';
import { notify } from './notices.ts';
import { reauthTargetsOf, requireReauth } from './require-reauth.ts';
import { findPerson } from './sessions.ts';
import { endAccess } from './tokens.ts';

/** The token of a link, or the id of a change of the viewer's own. */
interface Which {
  token?: string | undefined;
  id?: string | undefined;
}

/** A change that can still be undone. */
export async function getOpenChange(ctx: Ctx, { token, id }: Which): Promise<AccountChange> {
  if (token === undefined && ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  const change =
    token === undefined
      ? await queries.findChange(ctx.db, id ?? '')
      : await queries.findChangeByHash(ctx.db, digest(token));
  if (change === null || (token === undefined && change.userId !== ctx.viewer?.id))
    throw new CallError('NOT_FOUND', { message: '链接不对，或者已过期' });
  if (change.undoneAt !== null || change.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '这个链接已经用过，或者已过期' });
  return change;
}

/** What was there before the first of these changes; null when somebody else has shown meanwhile that it is theirs. */
async function findOld(ctx: Ctx, { userId, oldValue }: AccountChange): Promise<string | null> {
  if (oldValue === null) return null;
  const owner = await findAccountByName(ctx.db, oldValue);
  return owner === null || owner.userId === userId ? oldValue : null;
}

/**
 * The account as it was before these changes. Two-factor that was switched off stays off: its secret is not kept. Of
 * staff it stays on: a mailbox alone must not open the back office.
 */
async function asBefore(ctx: Ctx, account: Account, undone: readonly AccountChange[]): Promise<Account> {
  const isStaff = (await findPerson(ctx, account.userId))?.access.isStaff === true;
  const email = undone.find(({ kind }) => kind === 'email');
  const phone = undone.find(({ kind }) => kind === 'phone');
  const keepsTotp = account.totpOn && (isStaff || !undone.some(({ kind }) => kind === 'totp-on'));
  const oldEmail = email === undefined ? account.email : await findOld(ctx, email);
  return {
    ...account,
    email: oldEmail,
    ...(email && {
      emailVerified: oldEmail !== null && email.oldVerified,
      emailAddedAt: email.oldAddedAt,
    }),
    ...(phone && { phone: await findOld(ctx, phone), phoneAddedAt: phone.oldAddedAt }),
    ...(keepsTotp ? {} : { totpOn: false, totpSecret: null }),
  };
}

/** A page left open must not take an account back to an address its owner no longer has; a mailed token is a proof. */
async function requireProof(ctx: Ctx, { token }: Which): Promise<void> {
  if (token === undefined && ctx.viewer !== null) await requireReauth(ctx, ctx.viewer);
}

/**
 * "This was not me": takes back a change and all later ones of the account, and ends whatever lets anybody in. Where an
 * address is left through which the owner can set a new password, the old one ends as well; returns whether it did.
 */
export async function undoChange(ctx: Ctx, which: Which): Promise<boolean> {
  const { userId } = await getOpenChange(ctx, which);
  await requireProof(ctx, which);
  // Before the lock, at which others would wait for it.
  const unknown = await hashPassword(ctx, newPassword());
  return inTx(ctx, async (ctx) => {
    const account = await lockAccount(ctx.db, userId);
    const change = await getOpenChange(ctx, which);
    await requireProof(ctx, which);
    const keepUntil = new Date(ctx.now.getTime() + UNDONE_LOCK);
    const undone = await queries.undoChanges(ctx.db, change, { now: ctx.now, keepUntil });
    const before = await asBefore(ctx, account, undone);
    const canReset = reauthTargetsOf(ctx, before).length > 0;
    await updateAccount(ctx.db, userId, {
      ...before,
      ...(canReset ? { passwordHash: unknown, mustChangePassword: false } : {}),
      updatedAt: ctx.now,
    });
    await removeCodes(ctx.db, userId);
    await endAccess(ctx, userId);
    await notify(ctx, {
      userId,
      kind: 'system',
      text: '账号的变更已撤销，所有设备和 API 令牌已退出。24 小时内不能再做同样的变更。',
    });
    if (ctx.viewer?.id === userId) ctx.reply.token = '';
    return canReset;
  });
}
