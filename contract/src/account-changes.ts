import { z } from 'zod';
import { id, time } from './common.ts';
import { defineCall } from './define.ts';

export const UNDO_DAYS = 7;

export const changeKind = z.enum(['email', 'phone', 'totp-on', 'totp-off', 'token', 'password']);
export type ChangeKind = z.output<typeof changeKind>;

/** The token from the mailed link, or the id from the notice when the owner is signed in. */
const changeReference = z
  .object({
    token: z.string().max(64).optional().meta({ title: '链接', description: '邮件链接里 # 之后的部分' }),
    id: id.optional().meta({ title: '变更', description: '站内通知里的编号，须由本人登录后使用' }),
  })
  .refine(({ token, id }) => (token === undefined) !== (id === undefined), '请给出 token 或 id');

export const getAccountChange = defineCall({
  method: 'POST',
  path: 'core/account/change',
  summary: '查看「这不是我本人操作」链接所指的账号变更；不改动任何东西',
  access: 'anyone',
  secret: true,
  readOnly: true,
  input: changeReference,
  output: z.object({
    kind: changeKind,
    value: z.string().meta({ description: '新的邮箱、手机号（遮去中间）或令牌名称；没有则为空' }),
    device: z.string(),
    place: z.string(),
    at: time,
  }),
  errors: ['NOT_FOUND', 'GONE'],
  limit: { max: 60, per: 600 },
});

export const undoAccountChange = defineCall({
  method: 'PUT',
  path: 'core/account/change',
  summary:
    '这不是我本人操作：撤销这次及其后的账号变更，结束所有登录与 API 令牌，24 小时内不能再做同样的变更；只能用一次',
  access: 'anyone',
  secret: true,
  input: changeReference,
  output: z.object({
    reset: z.boolean().meta({ description: '密码已失效，要用原来的邮箱或手机号重置' }),
  }),
  // REAUTH_REQUIRED occurs only when the input contains `id`.
  errors: ['REAUTH_REQUIRED', 'NOT_FOUND', 'GONE'],
  limit: { max: 60, per: 600 },
});

export const calls = [getAccountChange, undoAccountChange] as const;
