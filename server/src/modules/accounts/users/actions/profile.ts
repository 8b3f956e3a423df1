import { FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { updateStaffUser as staffCall } from '@mozhan/contract/system.ts';
import type { CurrentUser, updateUser as call } from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import { accountChanged, type Ctx, changed, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { canGrant, listGrantsOf, lockAccess } from '../../access/index.ts';
import { getAccount, updateAccount } from '../queries/accounts.ts';
import { getUser, type StaffUserRow, updateSwitches, updateUser } from '../queries/people.ts';
import type { User } from '../tables.ts';
import { refuseSelf, requireSuper } from './accounts.ts';
import { checkName, indexWriter } from './names.ts';
import { notify } from './notices.ts';
import { getCurrentUser } from './sessions.ts';
import { endAccess } from './tokens.ts';

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

const clearable = { displayName: '昵称', bio: '简介', headImg: '头像' };
type Clearable = keyof typeof clearable;

/** What is seen of somebody and should not be is taken away; they are told, and may write anew. */
async function clearProfile(ctx: Ctx, user: User, names: Clearable[]): Promise<void> {
  const blank: Record<Clearable, string> = {
    displayName: `用户${user.id.slice(-6)}`,
    bio: '',
    headImg: '',
  };
  const fields = Object.fromEntries(names.map((name) => [name, blank[name]]));
  await updateUser(ctx.db, user.id, { ...fields, updatedAt: ctx.now });
  if (names.includes('displayName')) await indexWriter(ctx, user.id);
  const what = names.map((name) => clearable[name]).join('、');
  await notify(ctx, {
    userId: user.id,
    kind: 'system',
    text: `你的${what}不符合社区规范，已被管理员清空。请到账号设置里重新填写。`,
  });
}

const toLog = ({ user, account }: StaffUserRow) => ({
  curIdentity: user.curIdentity,
  enabled: account.enabled,
});

/** As far as it was cleared. */
const toClearedLog = (user: User, names: Clearable[]) =>
  Object.fromEntries(names.map((name) => [name, user[name]]));

/** Staff set a user's identity, clear its profile, or disable it: then every session ends at once. */
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
    const cleared = [...new Set(input.clear)];
    if (cleared.length > 0) await clearProfile(ctx, user, cleared);
    if (input.enabled !== undefined) {
      await updateAccount(ctx.db, input.id, { enabled: input.enabled === FLAG.on, updatedAt: ctx.now });
    }
    if (input.enabled === FLAG.off) {
      await requireSuper(ctx);
      refuseSelf(actor, input.id, '不能停用自己的账号');
      await endAccess(ctx, input.id);
    }
    touch(ctx, `user:${input.id}`);
    accountChanged(ctx, input.id);
    const after = { user: await getUser(ctx.db, input.id), account: await getAccount(ctx.db, input.id) };
    changed(
      ctx,
      `user:${input.id}`,
      { ...toLog({ user, account }), ...toClearedLog(user, cleared) },
      { ...toLog(after), ...toClearedLog(after.user, cleared) },
    );
    return after;
  });
}
