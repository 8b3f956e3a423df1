import { createHmac, timingSafeEqual } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { findSessionViewer } from '../../accounts/users/index.ts';

const LINK = /^([0-9a-f]{32})-([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;
const LINK_LIFE = 10 * 60_000;

/** The file of a run, or all that is kept of somebody. */
type Purpose = 'transfer' | 'own-data';

const sign = (secret: string, purpose: Purpose, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

/** Good for minutes, for whoever has it, as long as the viewer's session lasts. */
export function linkTo(
  ctx: Ctx,
  purpose: Purpose,
  id: string,
  { sessionId }: Viewer,
): { url: string; expiresAt: string } {
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_LIFE);
  const text = `${id}-${sessionId}-${expiresAt.getTime().toString(36)}`;
  return {
    url: `${config.basePath}/download/${purpose}/${text}-${sign(secret, purpose, text)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

/** What a link leads to, and for whom it was made, as they are by now. */
export async function readLink(
  ctx: Ctx,
  purpose: Purpose,
  link: string,
): Promise<{ id: string; viewer: Viewer }> {
  const [, id = '', sessionId = '', time = '', signature = ''] = LINK.exec(link) ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(ctx.services.secret, purpose, `${id}-${sessionId}-${time}`));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new CallError('NOT_FOUND', { message: '下载地址不对' });
  if (Number.parseInt(time, 36) <= ctx.now.getTime())
    throw new CallError('GONE', { message: '下载地址已过期，请重新获取' });
  const viewer = await findSessionViewer(ctx, sessionId);
  if (viewer === null) throw new CallError('GONE', { message: '登录已经结束，下载地址随之失效' });
  return { id, viewer };
}
