import { createHmac, timingSafeEqual } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../ctx.ts';
import { findSessionViewer } from '../../accounts/users/index.ts';

const LINK = /^([0-9a-f]{32})-([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;
const LINK_TTL_MS = 10 * 60_000;

type LinkPurpose = 'transfer' | 'own-data';

const sign = (secret: string, purpose: LinkPurpose, text: string): string =>
  createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url');

/** The link works for ten minutes without signing in, as long as the viewer's session exists. */
export function createSignedLink(
  ctx: Ctx,
  purpose: LinkPurpose,
  id: string,
  { sessionId }: Viewer,
): { url: string; expiresAt: string } {
  const { config, secret } = ctx.services;
  const expiresAt = new Date(ctx.now.getTime() + LINK_TTL_MS);
  const text = `${id}-${sessionId}-${expiresAt.getTime().toString(36)}`;
  return {
    url: `${config.basePath}/download/${purpose}/${text}-${sign(secret, purpose, text)}`,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Returns the target of a link and the current state of the viewer who created it. */
export async function verifyLink(
  ctx: Ctx,
  purpose: LinkPurpose,
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
