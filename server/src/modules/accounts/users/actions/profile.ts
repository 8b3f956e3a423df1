import { FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { updateStaffUser as staffCall } from '@mozhan/contract/system.ts';
import type { CurrentUser, updateUser as call } from '@mozhan/contract/users.ts';
import type { z } from 'zod';
import {
  type Ctx,
  inTransaction,
  invalidate,
  logChange,
  notifyAccountChanged,
  type Viewer,
} from '../../../../ctx.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { canGrant, listGrantsOfUser, lockAccess } from '../../access/index.ts';
import { getAccount, updateAccount } from '../queries/accounts.ts';
import { getUser, mergePreferences, type StaffUserRow, updateUser } from '../queries/users.ts';
import type { User } from '../tables.ts';
import { refuseOwnAccount, requireSuperAdmin } from './accounts.ts';
import { checkDisplayName, indexWriterName } from './names.ts';
import { notify } from './notices.ts';
import { getCurrentUser } from './sessions.ts';
import { revokeAccess } from './tokens.ts';

const SCREENED_FIELDS = ['bio', 'city', 'company', 'position'] as const;
type ScreenedTexts = Partial<Record<(typeof SCREENED_FIELDS)[number], string | undefined>>;

/** Profiles are public without review, so words of level `hold` are refused. Unchanged texts are not checked again. */
async function screenProfileTexts(
  ctx: Ctx,
  before: ScreenedTexts,
  input: ScreenedTexts,
): Promise<ScreenedTexts> {
  const fields: ScreenedTexts = {};
  for (const name of SCREENED_FIELDS) {
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
  return inTransaction(ctx, async (ctx) => {
    if (input.headImg && !(await hasUpload(ctx.db, viewer.id, input.headImg))) {
      throw invalidField('headImg', '请先上传图片，再设为头像');
    }
    // An unchanged name is not checked again, so new sensitive words do not block other edits.
    if (input.displayName !== undefined && input.displayName !== viewer.displayName)
      await checkDisplayName(ctx, input.displayName);
    const { notify, privacy, ...fields } = input;
    const screened = await screenProfileTexts(ctx, await getUser(ctx.db, viewer.id), fields);
    await updateUser(ctx.db, viewer.id, { ...fields, ...screened, updatedAt: ctx.now });
    if (input.displayName !== undefined) await indexWriterName(ctx, viewer.id);
    await mergePreferences(ctx.db, viewer.id, { notify, privacy });
    invalidate(ctx, `user:${viewer.id}`);
    return getCurrentUser(ctx, viewer.id);
  });
}

const clearable = { displayName: '昵称', bio: '简介', headImg: '头像' };
type Clearable = keyof typeof clearable;

async function clearProfile(ctx: Ctx, user: User, names: Clearable[]): Promise<void> {
  const blank: Record<Clearable, string> = {
    displayName: `用户${user.id.slice(-6)}`,
    bio: '',
    headImg: '',
  };
  const fields = Object.fromEntries(names.map((name) => [name, blank[name]]));
  await updateUser(ctx.db, user.id, { ...fields, updatedAt: ctx.now });
  if (names.includes('displayName')) await indexWriterName(ctx, user.id);
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

const toClearedLog = (user: User, names: Clearable[]) =>
  Object.fromEntries(names.map((name) => [name, user[name]]));

export function updateStaffUser(
  ctx: Ctx,
  actor: Viewer,
  input: z.output<typeof staffCall.input>,
): Promise<StaffUserRow> {
  return inTransaction(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const user = await getUser(ctx.db, input.id);
    const account = await getAccount(ctx.db, input.id);
    if (!canGrant(actor, await listGrantsOfUser(ctx.db, input.id))) {
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
      await requireSuperAdmin(ctx);
      refuseOwnAccount(actor, input.id, '不能停用自己的账号');
      await revokeAccess(ctx, input.id);
    }
    invalidate(ctx, `user:${input.id}`);
    notifyAccountChanged(ctx, input.id);
    const after = { user: await getUser(ctx.db, input.id), account: await getAccount(ctx.db, input.id) };
    logChange(
      ctx,
      `user:${input.id}`,
      { ...toLog({ user, account }), ...toClearedLog(user, cleared) },
      { ...toLog(after), ...toClearedLog(after.user, cleared) },
    );
    return after;
  });
}
