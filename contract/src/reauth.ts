import { z } from 'zod';
import { time } from './common.ts';
import { defineCall } from './define.ts';
import { challenge, codeTarget, password, sixDigits } from './users.ts';

/** Duration of a re-authentication; it applies only to its session. */
export const REAUTH_MINUTES = 10;

const totp = sixDigits.optional().meta({ title: '动态验证码', description: '开启了两步验证的账号必须给出' });

export const getReauth = defineCall({
  method: 'GET',
  path: 'core/account/reauth',
  summary: '再次验证身份可用的方式，以及这次登录的验证何时失效',
  access: 'user',
  input: z.object({}),
  output: z.object({
    account: z.string().meta({ description: '登录账号，供密码管理器填写' }),
    methods: z.array(z.enum(['password', 'code'])),
    targets: z
      .array(z.string())
      .meta({ description: '可以收验证码的邮箱、手机号：已验证，且绑定满 24 小时' }),
    totp: z.boolean().meta({ description: '还要动态验证码' }),
    until: time.nullable().meta({ description: '在此之前不必再次验证；空：需要验证' }),
  }),
});

export const reauthenticate = defineCall({
  method: 'POST',
  path: 'core/account/reauth',
  summary: `再次验证身份：密码，或发到已有邮箱、手机号的验证码（先用 core/account/code，purpose 为 reauth）；只对这次登录有效，${REAUTH_MINUTES} 分钟`,
  access: 'user',
  secret: true,
  input: z.discriminatedUnion('method', [
    z.object({ method: z.literal('password'), password, totp, challenge }),
    z.object({
      method: z.literal('code'),
      target: codeTarget,
      code: sixDigits.meta({ title: '验证码' }),
      totp,
      challenge,
    }),
  ]),
  output: z.object({ until: time }),
  errors: [
    'WRONG_PASSWORD',
    'WRONG_CODE',
    'TOTP_REQUIRED',
    'WRONG_TOTP',
    'ACCOUNT_LOCKED',
    'CHALLENGE_REQUIRED',
    'CHALLENGE_FAILED',
  ],
  limit: { max: 60, per: 600 },
});

export const calls = [getReauth, reauthenticate] as const;
