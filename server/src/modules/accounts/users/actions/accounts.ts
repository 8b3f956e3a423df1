import type * as calls from '@mozhan/contract/access.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate, logChange, type Viewer } from '../../../../ctx.ts';
import { assignRoles, checkGrant, listGrantsOfUser, lockAccess, revokeRoles } from '../../access/index.ts';
import {
  hasSuperAdmin,
  lockAccount,
  removeCodes,
  removeFailures,
  updateAccount,
} from '../queries/accounts.ts';
import { getStaffAccount, type StaffAccountRow } from '../queries/staff-accounts.ts';
import { updateUser } from '../queries/users.ts';
import {
  checkNewAccountName,
  checkNewPassword,
  toDefaultDisplayName,
  toRenamedFields,
} from '../rules/users.ts';
import { hashPassword } from '../secrets.ts';
import { recordAccountChange, requireChangeUnlocked } from './account-changes.ts';
import { checkDisplayName, indexWriterName } from './names.ts';
import { createUser, sendWelcomeNotice } from './register.ts';
import { requireReauth } from './require-reauth.ts';
import { revokeAccess } from './tokens.ts';

const toLog = ({ user, account, roles }: StaffAccountRow) => ({
  account: account.name,
  displayName: user.displayName,
  roles: roles.map((role) => role.name),
  enabled: account.enabled,
});

/** Like a registration, but with a password that the user must change. */
export async function createAccount(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.createAccount.input>,
): Promise<StaffAccountRow> {
  checkNewAccountName(input.account);
  checkNewPassword(input.password, input.account, 'password');
  const displayName = input.displayName ?? toDefaultDisplayName(input.account);
  await checkDisplayName(ctx, displayName);
  const passwordHash = await hashPassword(ctx, input.password);
  return inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const id = await createUser(ctx, {
      account: input.account,
      passwordHash,
      displayName,
      mustChangePassword: true,
      enabled: input.enabled === FLAG.on,
    });
    await sendWelcomeNotice(ctx, id);
    await assignRoles(ctx, actor, id, input.roleIds);
    const after = await getStaffAccount(ctx.db, id);
    logChange(ctx, `account:${id}`, null, toLog(after));
    return after;
  });
}

export async function updateStaffAccount(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.updateAccount.input>,
): Promise<StaffAccountRow> {
  const { id, account: name, password, displayName, roleIds, enabled } = input;
  // Hashing is slow, so it happens before the lock.
  const passwordHash = password === undefined ? undefined : await hashPassword(ctx, password);
  return inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    await lockAccount(ctx.db, id);
    const before = await getStaffAccount(ctx.db, id);
    checkGrant(actor, await listGrantsOfUser(ctx.db, id));
    const isRenamed = name !== undefined && name !== before.account.name;
    const nameFields = isRenamed ? toRenamedFields(before.account, name, ctx.now) : {};
    const isOwn = id === actor.id;
    // Changing one's own password here skips the check of the old one.
    if (isOwn && (isRenamed || password !== undefined)) await requireReauth(ctx, actor);
    if (isOwn && nameFields.email !== undefined) await requireChangeUnlocked(ctx, id, 'email');
    if (isRenamed) checkNewAccountName(name);
    if (password !== undefined) checkNewPassword(password, name ?? before.account.name, 'password');
    if (displayName !== undefined && displayName !== before.user.displayName) {
      await checkDisplayName(ctx, displayName);
      await updateUser(ctx.db, id, { displayName, updatedAt: ctx.now });
      await indexWriterName(ctx, id);
    }
    await updateAccount(ctx.db, id, {
      ...nameFields,
      ...(passwordHash === undefined ? {} : { passwordHash, mustChangePassword: true }),
      ...(enabled === undefined ? {} : { enabled: enabled === FLAG.on }),
      updatedAt: ctx.now,
    });
    if (roleIds !== undefined) await assignRoles(ctx, actor, id, roleIds);
    if (roleIds !== undefined || enabled === FLAG.off) await requireSuperAdmin(ctx);
    if (enabled === FLAG.off) refuseOwnAccount(actor, id, '不能停用自己的账号');
    if (password !== undefined) await removeFailures(ctx.db, before.account.name);
    if (password !== undefined || enabled === FLAG.off) await revokeAccess(ctx, id);
    if (nameFields.email !== undefined) await removeCodes(ctx.db, id);
    if (isOwn && nameFields.email !== undefined)
      await recordAccountChange(ctx, before.account, { kind: 'email', value: name ?? '' });
    if (isOwn && password !== undefined) await recordAccountChange(ctx, before.account, { kind: 'password' });
    invalidate(ctx, `user:${id}`);
    const after = await getStaffAccount(ctx.db, id);
    logChange(ctx, `account:${id}`, toLog(before), toLog(after));
    return after;
  });
}

/** Revokes all roles and disables the account; the user's content stays. */
export function removeAccount(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const before = await getStaffAccount(ctx.db, id);
    checkGrant(actor, await listGrantsOfUser(ctx.db, id));
    await revokeRoles(ctx, id);
    await updateAccount(ctx.db, id, { enabled: false, updatedAt: ctx.now });
    await requireSuperAdmin(ctx);
    refuseOwnAccount(actor, id, '不能删除自己的账号');
    await revokeAccess(ctx, id);
    invalidate(ctx, `user:${id}`);
    logChange(ctx, `account:${id}`, toLog(before), toLog(await getStaffAccount(ctx.db, id)));
  });
}

/** Call it under `lockAccess` after every change that may disable a super administrator: one must remain. */
export async function requireSuperAdmin(ctx: Ctx): Promise<void> {
  if (!(await hasSuperAdmin(ctx.db))) throw new CallError('LAST_SUPER_ADMIN');
}

export function refuseOwnAccount(actor: Viewer, userId: string, message: string): void {
  if (actor.id === userId) throw new CallError('FORBIDDEN', { message });
}
