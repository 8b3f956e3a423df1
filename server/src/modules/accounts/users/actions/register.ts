import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { CurrentUser, registerUser as call } from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import { type Ctx, inTx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { recordTrend } from '../../activity/index.ts';
import { isOldEmail } from '../queries/account-changes.ts';
import { getAccount, insertAccount } from '../queries/accounts.ts';
import { findUserByInvite, insertUser } from '../queries/people.ts';
import { checkNewName, checkNewPassword, nameFor } from '../rules/users.ts';
import { hashPassword, newInviteCode } from '../secrets.ts';
import type { users } from '../tables.ts';
import { requireChallenge } from './challenge.ts';
import { checkName } from './names.ts';
import { notify } from './notices.ts';
import { getCurrentUser, startSession } from './sessions.ts';

export interface NewPerson extends Omit<Partial<typeof users.$inferInsert>, 'id'> {
  account: string;
  passwordHash: string;
  displayName: string;
  mustChangePassword?: boolean;
  enabled?: boolean;
}

/** A user with the account that signs it in. */
export async function createPerson(ctx: Ctx, person: NewPerson): Promise<string> {
  const { account, passwordHash, mustChangePassword = false, enabled = true, ...fields } = person;
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

export async function welcome(ctx: Ctx, userId: string): Promise<void> {
  const { title } = await getSiteSettings(ctx);
  await notify(ctx, { userId, kind: 'system', text: `欢迎来到${title}。完善资料后，大家更容易认识你。` });
}

export async function register(ctx: Ctx, input: z.output<typeof call.input>): Promise<CurrentUser> {
  checkNewName(input.account);
  checkNewPassword(input.password, input.account, 'password');
  const inviter = input.inviteCode ? await findUserByInvite(ctx.db, input.inviteCode) : null;
  if (input.inviteCode && inviter === null) throw invalid('inviteCode', '邀请码无效，请检查或留空');
  const displayName = input.displayName ?? nameFor(input.account);
  await checkName(ctx, displayName);
  await requireChallenge(ctx, input.challenge);
  // Else a thief could keep an owner from getting the address back.
  if (await isOldEmail(ctx.db, input.account, ctx.now)) throw new CallError('ACCOUNT_TAKEN');
  const passwordHash = await hashPassword(ctx, input.password);
  return inTx(ctx, async (ctx) => {
    const userId = await createPerson(ctx, {
      account: input.account,
      passwordHash,
      displayName,
      invitedBy: inviter?.id ?? null,
    });
    await welcome(ctx, userId);
    await startSession(ctx, await getAccount(ctx.db, userId), 'register');
    return getCurrentUser(ctx, userId);
  });
}
