import type { z } from 'zod';
import { CallError, invalid } from '#contract/errors.ts';
import type { updateStaffUser as staffCall } from '#contract/system.ts';
import type { CurrentUser, updateUser as call } from '#contract/users.ts';
import { type Ctx, changed, inTx, touch, type Viewer } from '../../../ctx.ts';
import { hasUpload } from '../../uploads/index.ts';
import { countOtherSupers, getAccount, isSuperAccount, updateAccount } from '../queries/accounts.ts';
import { getUser, type StaffUserRow, updateSwitches, updateUser } from '../queries/people.ts';
import { endSessions, getCurrentUser } from './sessions.ts';

export function updateProfile(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof call.input>,
): Promise<CurrentUser> {
  return inTx(ctx, async (ctx) => {
    if (input.headImg && !(await hasUpload(ctx.db, viewer.id, input.headImg))) {
      throw invalid('headImg', '请先上传图片，再设为头像');
    }
    const { notify, privacy, ...fields } = input;
    await updateUser(ctx.db, viewer.id, { ...fields, updatedAt: ctx.now });
    await updateSwitches(ctx.db, viewer.id, { notify, privacy });
    touch(ctx, `user:${viewer.id}`);
    return getCurrentUser(ctx, viewer.id);
  });
}

/** Staff set a user's identity, or disable it: then every session ends at once. */
export function updateStaffUser(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof staffCall.input>,
): Promise<StaffUserRow> {
  return inTx(ctx, async (ctx) => {
    const user = await getUser(ctx.db, input.id);
    const account = await getAccount(ctx.db, input.id);
    if (!actor.isSuper && (await isSuperAccount(ctx.db, input.id))) {
      throw new CallError('FORBIDDEN', { message: '只有超级管理员可以修改超级管理员' });
    }
    if (input.curIdentity !== undefined) {
      await updateUser(ctx.db, input.id, { curIdentity: input.curIdentity, updatedAt: ctx.now });
    }
    if (input.enabled !== undefined) {
      if (input.enabled === 0) await refuseLastSuper(ctx, input.id);
      await updateAccount(ctx.db, input.id, { enabled: input.enabled === 1, updatedAt: ctx.now });
      if (input.enabled === 0) await endSessions(ctx, { userId: input.id });
    }
    touch(ctx, `user:${input.id}`);
    const after = { user: await getUser(ctx.db, input.id), account: await getAccount(ctx.db, input.id) };
    changed(
      ctx,
      `user:${input.id}`,
      { curIdentity: user.curIdentity, enabled: account.enabled },
      { curIdentity: after.user.curIdentity, enabled: after.account.enabled },
    );
    return after;
  });
}

async function refuseLastSuper(ctx: Ctx, userId: string): Promise<void> {
  if (!(await isSuperAccount(ctx.db, userId))) return;
  if ((await countOtherSupers(ctx.db, userId)) === 0) throw new CallError('LAST_SUPER_ADMIN');
}
