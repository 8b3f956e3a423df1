import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { CurrentUser, registerUser as call } from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { recordTrend } from '../../activity/index.ts';
import { isRestorableEmail } from '../queries/account-changes.ts';
import { getAccount, insertAccount } from '../queries/accounts.ts';
import { findUserByInvite, insertUser } from '../queries/users.ts';
import { checkNewAccountName, checkNewPassword, toDefaultDisplayName } from '../rules/users.ts';
import { hashPassword, newInviteCode } from '../secrets.ts';
import type { users } from '../tables.ts';
import { requireChallenge } from './challenge.ts';
import { checkDisplayName } from './names.ts';
import { notify } from './notices.ts';
import { getCurrentUser, startSession } from './sessions.ts';

export interface NewUser extends Omit<Partial<typeof users.$inferInsert>, 'id'> {
  account: string;
  passwordHash: string;
  displayName: string;
  mustChangePassword?: boolean;
  enabled?: boolean;
}

export async function createUser(ctx: Ctx, user: NewUser): Promise<string> {
  const { account, passwordHash, mustChangePassword = false, enabled = true, ...fields } = user;
  const id = newId();
  await insertUser(ctx.db, {
    ...fields,
    id,
    inviteCode: newInviteCode(),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  });
  await insertAccount(ctx.db, {
    userId: id,
    name: account,
    email: account.includes('@') ? account : null,
    passwordHash,
    mustChangePassword,
    enabled,
    updatedAt: ctx.now,
  });
  await recordTrend(ctx, { userId: id, type: TREND_TYPE.register, targetKind: 'home', targetId: id });
  return id;
}

export async function sendWelcomeNotice(ctx: Ctx, userId: string): Promise<void> {
  const { title } = await getSiteSettings(ctx);
  await notify(ctx, { userId, kind: 'system', text: `欢迎来到${title}。完善资料后，大家更容易认识你。` });
}

/** Throws while registration is closed, or without a valid code while it needs one. */
async function findInviter(ctx: Ctx, inviteCode = ''): Promise<string | null> {
  const { registration, inviteCode: siteCode } = ctx.services.switches.current();
  if (registration === 'closed') throw new CallError('REGISTRATION_CLOSED');
  const isRequired = registration === 'invited';
  if (inviteCode === '') {
    if (isRequired) throw invalidField('inviteCode', '本站凭邀请码注册，请填写邀请码');
    return null;
  }
  if (inviteCode === siteCode) return null;
  const inviter = await findUserByInvite(ctx.db, inviteCode);
  if (inviter === null)
    throw invalidField('inviteCode', isRequired ? '邀请码无效，请检查' : '邀请码无效，请检查或留空');
  // Otherwise the code of a banned user would let them in again.
  if (isRequired && !(await getAccount(ctx.db, inviter.id)).enabled)
    throw invalidField('inviteCode', '邀请码已失效');
  return inviter.id;
}

export async function register(ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> {
  checkNewAccountName(input.account);
  checkNewPassword(input.password, input.account, 'password');
  const invitedBy = await findInviter(ctx, input.inviteCode);
  const displayName = input.displayName ?? toDefaultDisplayName(input.account);
  await checkDisplayName(ctx, displayName);
  await requireChallenge(ctx, input.challenge);
  // Otherwise a thief could register the address before the owner restores it by undoing a change.
  if (await isRestorableEmail(ctx.db, input.account, ctx.now)) throw new CallError('ACCOUNT_TAKEN');
  const passwordHash = await hashPassword(ctx, input.password);
  return inTransaction(ctx, async (ctx) => {
    const userId = await createUser(ctx, {
      account: input.account,
      passwordHash,
      displayName,
      invitedBy,
    });
    await sendWelcomeNotice(ctx, userId);
    await startSession(ctx, await getAccount(ctx.db, userId), 'register');
    return getCurrentUser(ctx, userId);
  });
}
