import { createHmac, timingSafeEqual } from 'node:crypto';
import { CallError } from '#contract/errors.ts';
import type { Ctx } from '../../ctx.ts';

const LINK = /^([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;
const LINK_LIFE = 10 * 60_000;

/** The file of a run, or all that is kept of somebody. */
type Purpose = 'transfer' | 'own-data';

const sign = (secret: string, purpose: Purpose, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

/** Good for minutes, for whoever has it. */
export function linkTo(ctx: Ctx, purpose: Purpose, id: string): { url: string; expiresAt: string } {
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE);
  const text = `${id}-${expiresAt.getTime().toString(36)}`;
  return {
    url: `${config.basePath}/download/${purpose}/${text}-${sign(secret, purpose, text)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

export function readLink(ctx: Ctx, purpose: Purpose, link: string): { id: string } {
  const [, id = '', time = '', signature = ''] = LINK.exec(link) ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(ctx.services.secret, purpose, `${id}-${time}`));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (Number.parseInt(time, 36) <= ctx.now.getTime())
    throw new CallError('GONE', { message: '下载地址已过期，请重新获取' });
  return { id };
}
