import { z } from 'zod';
import {
  cursor,
  done,
  flag,
  id,
  oneOf,
  optionalWebAddress,
  pageNumber,
  pageOf,
  pageSize,
  time,
} from './common.ts';
import { defineCall } from './define.ts';
import { IDENTITY } from './enums.ts';

export const identity = oneOf(IDENTITY.reader, IDENTITY.writer).meta({ title: '身份' });
export type Identity = z.output<typeof identity>;

export const userCard = z.object({
  id,
  displayName: z.string(),
  headImg: z.string(),
  curIdentity: identity,
  isMember: z.boolean(),
  title: z.string(),
});
export type UserCard = z.output<typeof userCard>;

/** The writer of an imported comment, who has no account here. */
const guestCard = userCard.extend({
  id: z.null(),
  site: z.string().meta({ description: '访客留下的网址；空：没有' }),
});
export type GuestCard = z.output<typeof guestCard>;

export const userOrGuestCard = z.union([userCard, guestCard]).meta({
  description: '用户；id 为空：从别处导入的访客，没有账号',
});
export type UserOrGuestCard = z.output<typeof userOrGuestCard>;

export const noticeKinds = [
  'comment',
  'reply',
  'mention',
  'like',
  'collect',
  'follow',
  'column',
  'reward',
  'purchase',
  'audit',
  'message',
  'system',
] as const;
export const noticeKind = z.enum(noticeKinds);
export const privacyKinds = ['trend', 'collect', 'like', 'share', 'follow'] as const;

const booleanFields = <const K extends string>(kinds: readonly K[]) =>
  z.object(Object.fromEntries(kinds.map((kind) => [kind, z.boolean()])) as Record<K, z.ZodBoolean>);

export const notifySwitches = booleanFields(noticeKinds).meta({ description: '各类通知是否接收' });
export const privacySwitches = booleanFields(privacyKinds).meta({ description: '各类列表是否对他人公开' });

export const gender = z.enum(['unknown', 'male', 'female']);

const profile = z.object({
  bio: z.string(),
  gender,
  city: z.string(),
  company: z.string(),
  position: z.string(),
  homepage: z.string(),
  github: z.string(),
});

export const currentUser = userCard.extend(profile.shape).extend({
  account: z.string(),
  email: z.string().nullable(),
  emailBounce: z
    .string()
    .nullable()
    .meta({ description: '邮箱拒收邮件的原因；没有被退回过，或重新验证过，则为空' }),
  phone: z.string().nullable(),
  access: z.enum(['admin', 'user']),
  permissions: z.array(z.string()),
  memberUntil: time.nullable(),
  balance: z.int(),
  unread: z.int(),
  inviteCode: z.string(),
  region: z.string(),
  totpOn: z.boolean(),
  mustChangePassword: z.boolean(),
  notify: notifySwitches,
  privacy: privacySwitches,
  digest: z.boolean().meta({ description: '是否每天用邮件汇总未读通知' }),
  createdAt: time,
});
export type CurrentUser = z.output<typeof currentUser>;

export const publicUser = userCard.extend(profile.omit({ gender: true }).shape).extend({
  region: z.string(),
  counters: z.object({
    essays: z.int(),
    reads: z.int(),
    likes: z.int(),
    followers: z.int(),
    following: z.int(),
  }),
  relation: z.object({
    self: z.boolean(),
    followed: z.boolean(),
    blocked: z.boolean().meta({ description: '我屏蔽了 TA' }),
  }),
  createdAt: time,
});
export type PublicUser = z.output<typeof publicUser>;

export const account = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, '最多 254 个字符')
  .refine(
    (value) => /^[a-z0-9_-]{4,32}$/.test(value) || z.email().safeParse(value).success,
    '请用 4–32 位小写字母、数字、下划线或短横线，或一个邮箱地址',
  )
  .meta({ title: '账号' });
const signInName = z.string().trim().toLowerCase().min(1).max(254).meta({ title: '账号' });
export const MAINLAND_PHONE = /^1[3-9]\d{9}$/;
export const codeTarget = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine(
    (value) => MAINLAND_PHONE.test(value) || z.email().safeParse(value).success,
    '请填写邮箱或 11 位手机号',
  )
  .meta({ title: '邮箱或手机号' });
export const newPassword = z
  .string()
  .min(8, '密码至少 8 个字符')
  .max(128, '密码最多 128 个字符')
  .meta({ title: '密码' });
export const password = z.string().min(1).max(128).meta({ title: '密码' });
export const challenge = z
  .string()
  .max(4000)
  .optional()
  .meta({ title: '安全验证', description: '解出的题目，base64' });
export const sixDigits = z
  .string()
  .trim()
  .regex(/^\d{6}$/, '请输入 6 位数字');
const ticket = z
  .string()
  .regex(/^[\w-]{22,64}$/, '二维码的格式不对')
  .meta({ title: '二维码票据' });
/** Must contain a visible character, and no line breaks or bidirectional controls. */
export const displayName = z
  .string()
  .trim()
  .min(1)
  .max(30)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, '不能含有控制字符')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, '请填写看得见的字符')
  .meta({ title: '昵称' });

export const getChallenge = defineCall({
  method: 'GET',
  path: 'core/account/challenge',
  summary: '取一道工作量证明题，用于注册、要验证码，以及多次失败后的登录',
  access: 'anyone',
  input: z.object({}),
  output: z.object({ enabled: z.boolean(), challenge: z.record(z.string(), z.unknown()).nullable() }),
  limit: { max: 60, per: 60 },
});

export const registerUser = defineCall({
  method: 'POST',
  path: 'core/user/',
  summary: '注册；响应头 token 即登录凭证',
  access: 'anyone',
  secret: true,
  input: z.object({
    account,
    password: newPassword,
    displayName: displayName.optional(),
    inviteCode: z.string().trim().max(32).optional().meta({ title: '邀请码' }),
    challenge,
  }),
  output: currentUser,
  errors: ['ACCOUNT_TAKEN', 'REGISTRATION_CLOSED', 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED'],
  limit: { max: 20, per: 3600 },
});

export const signIn = defineCall({
  method: 'POST',
  path: 'core/account/login',
  summary: '用账号和密码登录；响应头 token 即登录凭证',
  access: 'anyone',
  secret: true,
  input: z.object({
    account: signInName,
    password,
    totp: sixDigits.optional().meta({ title: '动态验证码' }),
    challenge,
  }),
  output: currentUser,
  errors: [
    'WRONG_PASSWORD',
    'TOTP_REQUIRED',
    'WRONG_TOTP',
    'ACCOUNT_LOCKED',
    'ACCOUNT_DISABLED',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
  ],
  limit: { max: 60, per: 60 },
});

export const signOut = defineCall({
  method: 'DELETE',
  path: 'core/account/login',
  summary: '退出登录；all=1 退出所有设备，API 令牌也失效',
  access: 'user',
  input: z.object({ all: flag.optional().meta({ title: '所有设备' }) }),
  output: done,
});

export const changePassword = defineCall({
  method: 'PUT',
  path: 'core/account/password',
  summary: '修改密码；其他设备的登录与 API 令牌随之失效',
  access: 'user',
  secret: true,
  input: z.object({ oldPassword: password, newPassword, challenge }),
  output: done,
  errors: ['WRONG_PASSWORD', 'ACCOUNT_LOCKED', 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED'],
  limit: { max: 20, per: 600 },
});

export const enrolTotp = defineCall({
  method: 'POST',
  path: 'core/account/totp',
  summary: '工作人员：获取两步验证的密钥和二维码',
  access: 'user',
  secret: true,
  input: z.object({}),
  output: z.object({ secret: z.string(), url: z.string(), qr: z.string().meta({ description: 'SVG 图片' }) }),
  errors: ['TOTP_ALREADY_ON', 'REAUTH_REQUIRED', 'CHANGE_LOCKED'],
});

export const confirmTotp = defineCall({
  method: 'PUT',
  path: 'core/account/totp',
  summary: '工作人员：用一个动态验证码开启两步验证',
  access: 'user',
  secret: true,
  input: z.object({ code: sixDigits.meta({ title: '验证码' }) }),
  output: done,
  errors: ['TOTP_NOT_ENROLLED', 'TOTP_ALREADY_ON', 'WRONG_TOTP', 'REAUTH_REQUIRED', 'CHANGE_LOCKED'],
  limit: { max: 10, per: 600 },
});

export const removeTotp = defineCall({
  method: 'DELETE',
  path: 'core/account/totp',
  summary: '工作人员：用一个动态验证码关闭两步验证',
  access: 'user',
  secret: true,
  input: z.object({ code: sixDigits.meta({ title: '验证码' }) }),
  output: done,
  errors: ['TOTP_NOT_ENROLLED', 'WRONG_TOTP', 'ACCOUNT_LOCKED', 'REAUTH_REQUIRED', 'CHANGE_LOCKED'],
  limit: { max: 10, per: 600 },
});

export const sendCode = defineCall({
  method: 'POST',
  path: 'core/account/code',
  summary:
    '发送邮件或短信验证码，用于绑定邮箱、手机号，登录，或再次验证身份（reauth，只发到自己已有的邮箱或手机号）；手机号是否已被绑定不影响答复',
  access: 'anyone',
  secret: true,
  input: z.object({ purpose: z.enum(['bind', 'login', 'reauth']), target: codeTarget, challenge }),
  output: done,
  errors: [
    'MAIL_NOT_CONFIGURED',
    'ACCOUNT_TAKEN',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
    'REAUTH_REQUIRED',
    'CHANGE_LOCKED',
  ],
  limit: { max: 10, per: 3600 },
});

export const acceptCode = defineCall({
  method: 'PUT',
  path: 'core/account/code',
  summary: '用验证码绑定邮箱、手机号或登录',
  access: 'anyone',
  secret: true,
  input: z.object({
    purpose: z.enum(['bind', 'login']),
    target: codeTarget,
    code: sixDigits.meta({ title: '验证码' }),
    totp: sixDigits.optional().meta({ title: '动态验证码' }),
    challenge,
  }),
  output: currentUser,
  errors: [
    'WRONG_CODE',
    'ACCOUNT_TAKEN',
    'ACCOUNT_DISABLED',
    'ACCOUNT_LOCKED',
    'TOTP_REQUIRED',
    'WRONG_TOTP',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
    'REAUTH_REQUIRED',
    'CHANGE_LOCKED',
  ],
  limit: { max: 30, per: 600 },
});

export const requestPasswordReset = defineCall({
  method: 'POST',
  path: 'core/account/reset',
  summary:
    '请求重置密码的验证码，账号是手机号时用短信，否则用邮件；账号是否存在不影响答复；绑定不满 24 小时的邮箱和手机号不能用来重置',
  access: 'anyone',
  secret: true,
  input: z.object({ account: signInName, challenge }),
  output: done,
  errors: ['MAIL_NOT_CONFIGURED', 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED'],
  limit: { max: 10, per: 3600 },
});

export const resetPassword = defineCall({
  method: 'PUT',
  path: 'core/account/reset',
  summary:
    '用验证码设置新密码；所有设备的登录与 API 令牌随之失效；邮箱由此第一次得到验证时，此前绑定的手机号一并移除',
  access: 'anyone',
  secret: true,
  input: z.object({ account: signInName, code: sixDigits.meta({ title: '验证码' }), newPassword, challenge }),
  output: done,
  errors: ['WRONG_CODE', 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED'],
  limit: { max: 30, per: 600 },
});

export const getUsers = defineCall({
  method: 'GET',
  path: 'core/user/',
  summary: '不带参数：当前用户；带 keyword 或 page：公开的用户名片',
  access: 'anyone',
  // No defaults: the output depends on whether a parameter is present.
  input: z.object({
    keyword: z.string().trim().max(50).optional().meta({ title: '关键词' }),
    page: pageNumber.optional(),
    pageSize: pageSize.optional(),
    cursor: cursor.optional(),
  }),
  output: z.union([currentUser, pageOf(userCard)]),
});

export const getUserById = defineCall({
  method: 'GET',
  path: 'core/user/byId',
  summary: '自己的编号：完整的当前用户；他人的：公开资料',
  access: 'anyone',
  input: z.object({ id }),
  output: z.union([currentUser, publicUser]),
});

export const getPublicUser = defineCall({
  method: 'GET',
  path: 'core/user/public',
  summary: '公开资料',
  access: 'anyone',
  input: z.object({ id }),
  output: publicUser,
  errors: ['GONE'],
});

export const updateUser = defineCall({
  method: 'PUT',
  path: 'core/user/',
  summary: '修改自己的资料；只改所给的字段',
  access: 'user',
  input: z
    .object({
      displayName,
      headImg: z
        .string()
        .max(200)
        .meta({ title: '头像', description: '上传后得到的 path，空表示用默认头像' }),
      bio: z.string().trim().max(200).meta({ title: '简介' }),
      gender: gender.meta({ title: '性别' }),
      city: z.string().trim().max(30).meta({ title: '城市' }),
      company: z.string().trim().max(50).meta({ title: '公司' }),
      position: z.string().trim().max(50).meta({ title: '职位' }),
      homepage: optionalWebAddress(200).meta({ title: '主页' }),
      github: z
        .string()
        .trim()
        .regex(/^([a-zA-Z0-9][a-zA-Z0-9-]{0,38})?$/, '请填写 GitHub 用户名')
        .meta({ title: 'GitHub' }),
      notify: notifySwitches.partial().meta({ title: '通知开关' }),
      privacy: privacySwitches.partial().meta({ title: '隐私开关' }),
      digest: z.boolean().meta({ title: '邮件汇总', description: '每天一封未读通知的汇总' }),
    })
    .partial(),
  output: currentUser,
  errors: ['WORDS_REFUSED'],
});

export const createTicket = defineCall({
  method: 'GET',
  path: 'core/user/qrcode/login',
  summary: '取一张扫码登录的票据，两分钟内有效；二维码的内容是 url',
  access: 'anyone',
  input: z.object({}),
  output: z.object({ ticket: z.string(), secret: z.string(), url: z.string(), expiresAt: time }),
  // Many users of an office share one IP address, and the login page requests a ticket each time it opens.
  limit: { max: 600, per: 600 },
});

export const ticketStatus = z.enum(['waiting', 'scanned', 'confirmed', 'cancelled', 'expired']);
export type TicketStatus = z.output<typeof ticketStatus>;

export const answerTicket = defineCall({
  method: 'PUT',
  path: 'core/user/qrcode/login',
  summary: '已登录的手机：扫到、确认或取消一张票据',
  access: 'user',
  input: z.object({ ticket, action: z.enum(['scan', 'confirm', 'cancel']) }),
  output: z.object({
    status: ticketStatus,
    device: z.string().meta({ description: '请求登录的设备' }),
    place: z.string().meta({ description: '请求登录的地点' }),
    expiresAt: time,
  }),
  errors: ['TICKET_EXPIRED', 'TICKET_USED', 'TICKET_NOT_SCANNED'],
});

export const pollTicket = defineCall({
  method: 'POST',
  path: 'core/user/login/qrcode',
  summary: '请求登录的一方：查询票据；确认后给出用户，响应头 token 只给一次',
  access: 'anyone',
  secret: true,
  input: z.object({ ticket, secret: z.string().max(64) }),
  output: z.object({ status: ticketStatus, user: currentUser.optional() }),
  limit: { max: 240, per: 120 },
});

export const calls = [
  getChallenge,
  registerUser,
  signIn,
  signOut,
  changePassword,
  requestPasswordReset,
  resetPassword,
  sendCode,
  acceptCode,
  enrolTotp,
  confirmTotp,
  removeTotp,
  createTicket,
  answerTicket,
  pollTicket,
  getUsers,
  getUserById,
  getPublicUser,
  updateUser,
] as const;
