import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import * as queries from '../queries/account-changes.ts';
import { findAccountByName, lockAccount, removeCodes, updateAccount } from '../queries/accounts.ts';
import { UNDONE_CHANGE_LOCK } from '../rules/users.ts';
import { hashPassword, hashToken, newPassword } from '../secrets.ts';
import type { Account, AccountChange } from '../tables.ts';
import { notify } from './notices.ts';
import { getReauthTargets, requireReauth } from './require-reauth.ts';
import { findUserWithAccount } from './sessions.ts';
import { revokeAccess } from './tokens.ts';

/** Either the token of an undo link, or the id of one of the viewer's changes. */
interface ChangeRef {
  token?: string | undefined;
  id?: string | undefined;
}

export async function getUndoableChange(ctx: Ctx, { token, id }: ChangeRef): Promise<AccountChange> {
  if (token === undefined && ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  const change =
    token === undefined
      ? await queries.findChange(ctx.db, id ?? '')
      : await queries.findChangeByHash(ctx.db, hashToken(token));
  if (change === null || (token === undefined && change.userId !== ctx.viewer?.id))
    throw new CallError('NOT_FOUND', { message: '链接不对，或者已过期' });
  if (change.undoneAt !== null || change.expiresAt <= ctx.now)
    throw new CallError('GONE', { message: '这个链接已经用过，或者已过期' });
  return change;
}

/** Returns the value before the change, or null when another account uses it now. */
async function findRestorableValue(ctx: Ctx, { userId, oldValue }: AccountChange): Promise<string | null> {
  if (oldValue === null) return null;
  const owner = await findAccountByName(ctx.db, oldValue);
  return owner === null || owner.userId === userId ? oldValue : null;
}

/**
 * Returns the account before these changes. Two-factor that was switched off stays off, since its secret is gone; for
 * staff it stays on, since a mailbox alone must not open the back office.
 */
async function toAccountBefore(
  ctx: Ctx,
  account: Account,
  undone: readonly AccountChange[],
): Promise<Account> {
  const isStaff = (await findUserWithAccount(ctx, account.userId))?.access.isStaff === true;
  const email = undone.find(({ kind }) => kind === 'email');
  const phone = undone.find(({ kind }) => kind === 'phone');
  const keepsTotp = account.totpOn && (isStaff || !undone.some(({ kind }) => kind === 'totp-on'));
  const oldEmail = email === undefined ? account.email : await findRestorableValue(ctx, email);
  return {
    ...account,
    email: oldEmail,
    ...(email && {
      emailVerified: oldEmail !== null && email.oldVerified,
      emailAddedAt: email.oldAddedAt,
      emailBounce: null,
    }),
    ...(phone && { phone: await findRestorableValue(ctx, phone), phoneAddedAt: phone.oldAddedAt }),
    ...(keepsTotp ? {} : { totpOn: false, totpSecret: null }),
  };
}

/** A mailed token is proof enough; a signed-in session must re-authenticate, since it may be an unattended page. */
async function requireProof(ctx: Ctx, { token }: ChangeRef): Promise<void> {
  if (token === undefined && ctx.viewer !== null) await requireReauth(ctx, ctx.viewer);
}

/**
 * Undoes a change and all later ones of the account, and ends all sessions and tokens. If the owner can still reset the
 * password by an address, the old password is invalidated too; returns whether it was.
 */
export async function undoChange(ctx: Ctx, ref: ChangeRef): Promise<boolean> {
  const { userId } = await getUndoableChange(ctx, ref);
  await requireProof(ctx, ref);
  // Hashing is slow, so it happens before the lock.
  const unusableHash = await hashPassword(ctx, newPassword());
  return inTransaction(ctx, async (ctx) => {
    const account = await lockAccount(ctx.db, userId);
    const change = await getUndoableChange(ctx, ref);
    await requireProof(ctx, ref);
    const keepUntil = new Date(ctx.now.getTime() + UNDONE_CHANGE_LOCK);
    const undone = await queries.undoChanges(ctx.db, change, { now: ctx.now, keepUntil });
    const before = await toAccountBefore(ctx, account, undone);
    const canReset = getReauthTargets(ctx, before).length > 0;
    await updateAccount(ctx.db, userId, {
      ...before,
      ...(canReset ? { passwordHash: unusableHash, mustChangePassword: false } : {}),
      updatedAt: ctx.now,
    });
    await removeCodes(ctx.db, userId);
    await revokeAccess(ctx, userId);
    await notify(ctx, {
      userId,
      kind: 'system',
      text: '账号的变更已撤销，所有设备和 API 令牌已退出。24 小时内不能再做同样的变更。',
    });
    if (ctx.viewer?.id === userId) ctx.reply.token = '';
    return canReset;
  });
}
