import { z } from 'zod';
import { flag, time } from './common.ts';
import { defineCall } from './define.ts';
import { currentUser } from './users.ts';

/** Signing in during this period cancels the closing. */
export const CLOSING_PERIOD_DAYS = 15;
/** Maximum age of the sign-in, so that a borrowed device cannot close the account. */
export const RECENT_SIGN_IN_MINUTES = 10;

export const getOwnData = defineCall({
  method: 'GET',
  path: 'core/account/export',
  summary:
    '自己的数据：资料，与下载其余全部（ZIP，内为 JSON）的地址，几分钟内有效；作者的文章另见 core/user/export',
  access: 'user',
  input: z.object({}),
  output: z.object({
    user: currentUser,
    file: z.object({ url: z.string(), expiresAt: time }),
  }),
  limit: { max: 10, per: 3600 },
});

export const closeAccount = defineCall({
  method: 'DELETE',
  path: 'core/account/',
  summary: `注销账号：所有设备退出，${CLOSING_PERIOD_DAYS} 天后生效，其间登录即撤销；须在登录后 ${RECENT_SIGN_IN_MINUTES} 分钟内`,
  access: 'user',
  input: z.object({
    waive: flag.optional().meta({ title: '放弃钱包里的钱', description: '1：余额与收益不再要' }),
  }),
  output: z.object({ closesAt: time }),
  limit: { max: 10, per: 3600 },
});

export const calls = [getOwnData, closeAccount] as const;
