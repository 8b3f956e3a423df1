import type * as calls from '@mozhan/contract/access.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { assignRoles, checkGrant, listGrantsOf, lockAccess, withdrawRoles } from '../../access/index.ts';
import { hasSuper, lockAccount, removeCodes, removeFailures, updateAccount } from '../queries/accounts.ts';
import { updateUser } from '../queries/people.ts';
import { getStaffAccount, type StaffAccountRow } from '../queries/staff-accounts.ts';
import { checkNewName, checkNewPassword, nameFor, renamed } from '../rules/users.ts';
import { hashPassword } from '../secrets.ts';
import { recordChange, requireUnlocked } from './account-changes.ts';
import { checkName, indexWriter } from './names.ts';
import { createPerson, welcome } from './register.ts';
import { requireReauth } from './require-reauth.ts';
import { endAccess } from './tokens.ts';

const toLog = ({ user, account, roles }: StaffAccountRow) => ({
  account: account.name,
  displayName: user.displayName,
  roles: roles.map((role) => role.name),
  enabled: account.enabled,
});

/** An account made by staff: as by registration, with a password that has to be changed. */
export async function createAccount(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.createAccount.input>,
): Promise<StaffAccountRow> {
  checkNewName(input.account);
  checkNewPassword(input.password, input.account, 'password');
  const displayName = input.displayName ?? nameFor(input.account);
  await checkName(ctx, displayName);
  const passwordHash = await hashPassword(ctx, input.password);
  return inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const id = await createPerson(ctx, {
      account: input.account,
      passwordHash,
      displayName,
      mustChangePassword: true,
      enabled: input.enabled === FLAG.on,
    });
    await welcome(ctx, id);
    await assignRoles(ctx, actor, id, input.roleIds);
    const after = await getStaffAccount(ctx.db, id);
    changed(ctx, `account:${id}`, null, toLog(after));
    return after;
  });
}

export async function updateStaffAccount(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof calls.updateAccount.input>,
): Promise<StaffAccountRow> {
  const { id, account: name, password, displayName, roleIds, enabled } = input;
  // Before the lock, at which others would wait for it.
  const passwordHash = password === undefined ? undefined : await hashPassword(ctx, password);
  return inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    await lockAccount(ctx.db, id);
    const before = await getStaffAccount(ctx.db, id);
    checkGrant(actor, await listGrantsOf(ctx.db, id));
    const isRenamed = name !== undefined && name !== before.account.name;
    const naming = isRenamed ? renamed(before.account, name, ctx.now) : {};
    const isOwn = id === actor.id;
    // Of oneself it would need no old password.
    if (isOwn && (isRenamed || password !== undefined)) await requireReauth(ctx, actor);
    if (isOwn && naming.email !== undefined) await requireUnlocked(ctx, id, 'email');
    if (isRenamed) checkNewName(name);
    if (password !== undefined) checkNewPassword(password, name ?? before.account.name, 'password');
    if (displayName !== undefined && displayName !== before.user.displayName) {
      await checkName(ctx, displayName);
      await updateUser(ctx.db, id, { displayName, updatedAt: ctx.now });
      await indexWriter(ctx, id);
    }
    await updateAccount(ctx.db, id, {
      ...naming,
      ...(passwordHash === undefined ? {} : { passwordHash, mustChangePassword: true }),
      ...(enabled === undefined ? {} : { enabled: enabled === FLAG.on }),
      updatedAt: ctx.now,
    });
    if (roleIds !== undefined) await assignRoles(ctx, actor, id, roleIds);
    if (roleIds !== undefined || enabled === FLAG.off) await requireSuper(ctx);
    if (enabled === FLAG.off) refuseSelf(actor, id, '不能停用自己的账号');
    if (password !== undefined) await removeFailures(ctx.db, before.account.name);
    if (password !== undefined || enabled === FLAG.off) await endAccess(ctx, id);
    if (naming.email !== undefined) await removeCodes(ctx.db, id);
    if (isOwn && naming.email !== undefined)
      await recordChange(ctx, before.account, { kind: 'email', value: name ?? '' });
    if (isOwn && password !== undefined) await recordChange(ctx, before.account, { kind: 'password' });
    touch(ctx, `user:${id}`);
    const after = await getStaffAccount(ctx.db, id);
    changed(ctx, `account:${id}`, toLog(before), toLog(after));
    return after;
  });
}

/** Takes what makes it staff and lets nobody sign in with it; what the person wrote stays. */
export function removeAccount(ctx: Ctx, actor: Viewer, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const before = await getStaffAccount(ctx.db, id);
    checkGrant(actor, await listGrantsOf(ctx.db, id));
    await withdrawRoles(ctx, id);
    await updateAccount(ctx.db, id, { enabled: false, updatedAt: ctx.now });
    await requireSuper(ctx);
    refuseSelf(actor, id, '不能删除自己的账号');
    await endAccess(ctx, id);
    touch(ctx, `user:${id}`);
    changed(ctx, `account:${id}`, toLog(before), toLog(await getStaffAccount(ctx.db, id)));
  });
}

/** After any change that may take one away, under `lockAccess`: somebody who can undo everything is left. */
export async function requireSuper(ctx: Ctx): Promise<void> {
  if (!(await hasSuper(ctx.db))) throw new CallError('LAST_SUPER_ADMIN');
}

export function refuseSelf(actor: Viewer, userId: string, message: string): void {
  if (actor.id === userId) throw new CallError('FORBIDDEN', { message });
}
