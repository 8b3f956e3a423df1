import { z } from 'zod';
import { listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { userCard } from './users.ts';

export const listInvitees = defineCall({
  method: 'GET',
  path: 'core/user/invitee',
  summary: '自己的邀请链接与通过它注册的人，新的在前',
  access: 'user',
  input: listInput,
  output: pageOf(userCard.extend({ joinedAt: time })).extend({
    inviteCode: z.string(),
    inviteUrl: z.string(),
    qr: z.string().meta({ description: 'inviteUrl 的二维码，SVG 图片' }),
  }),
});

export const calls = [listInvitees] as const;
