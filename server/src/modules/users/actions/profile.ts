import type { z } from 'zod';
import { CallError, invalid } from '#contract/errors.ts';
import type { updateStaffUser as staffCall } from '#contract/system.ts';
import type { CurrentUser, updateUser as call } from '#contract/users.ts';
import { type Ctx, changed, inTx, touch, type Viewer } from '../../../ctx.ts';
import { canGrant, listGrantsOf, lockAccess } from '../../access/index.ts';
import { hasUpload } from '../../uploads/index.ts';
import { screenText } from '../../words/index.ts';
import { getAccount, updateAccount } from '../queries/accounts.ts';
import { getUser, type StaffUserRow, updateSwitches, updateUser } from '../queries/people.ts';
import { refuseSelf, requireSuper } from './accounts.ts';
import { checkName, indexWriter } from './names.ts';
import { endSessions, getCurrentUser } from './sessions.ts';

const SHOWN = ['bio', 'city', 'company', 'position'] as const;
type Shown = Partial<Record<(typeof SHOWN)[number], string | undefined>>;

/**
 * A profile is seen at once and audited by nobody: what would have to wait for an audit is refused too. What has become
 * unwelcome since does not keep its owner from changing the rest.
 */
async function screenShown(ctx: Ctx, before: Shown, input: Shown): Promise<Shown> {
  const fields: Shown = {};
  for (const name of SHOWN) {
    const text = input[name];
    if (!text || text === before[name]) continue;
    const { level, words, masked } = await screenText(ctx, text);
    if (level !== null && level !== 'mask')
      throw new CallError('WORDS_REFUSED', { fields: { [name]: `含有不能发布的词语：${words.join('、')}` } });
    fields[name] = masked;
  }
  return fields;
}

export function updateProfile(
  ctx: Ctx,
  viewer: Viewer,
  input: z.output<typeof call.input>,
): Promise<CurrentUser> {
  return inTx(ctx, async (ctx) => {
    if (input.headImg && !(await hasUpload(ctx.db, viewer.id, input.headImg))) {
      throw invalid('headImg', '请先上传图片，再设为头像');
    }
    // One that has become unwelcome since does not keep its owner from changing the rest.
    if (input.displayName !== undefined && input.displayName !== viewer.displayName)
      await checkName(ctx, input.displayName);
    const { notify, privacy, ...fields } = input;
    const screened = await screenShown(ctx, await getUser(ctx.db, viewer.id), fields);
    await updateUser(ctx.db, viewer.id, { ...fields, ...screened, updatedAt: ctx.now });
    if (input.displayName !== undefined) await indexWriter(ctx, viewer.id);
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
    await lockAccess(ctx.db);
    const user = await getUser(ctx.db, input.id);
    const account = await getAccount(ctx.db, input.id);
    if (!canGrant(actor, await listGrantsOf(ctx.db, input.id))) {
      throw new CallError('FORBIDDEN', { message: '这个账号的权限比你多，不能由你修改' });
    }
    if (input.curIdentity !== undefined) {
      await updateUser(ctx.db, input.id, { curIdentity: input.curIdentity, updatedAt: ctx.now });
    }
    if (input.enabled !== undefined) {
      await updateAccount(ctx.db, input.id, { enabled: input.enabled === 1, updatedAt: ctx.now });
    }
    if (input.enabled === 0) {
      await requireSuper(ctx);
      refuseSelf(actor, input.id, '不能停用自己的账号');
      await endSessions(ctx, { userId: input.id });
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
