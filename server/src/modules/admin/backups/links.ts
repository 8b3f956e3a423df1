import { createHmac, timingSafeEqual } from 'node:crypto';

const LINK = /^([0-9a-f]{32})-([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`backup\n${text}`).digest('base64url');

interface LinkClaims {
  id: string;
  /** The link becomes invalid when this session ends. */
  sessionId: string;
  expiresAt: Date;
}

export function signLink(secret: string, { id, sessionId, expiresAt }: LinkClaims): string {
  const text = `${id}-${sessionId}-${expiresAt.getTime().toString(36)}`;
  return `${text}-${sign(secret, text)}`;
}

/** Returns null when the signature is invalid. */
export function verifyLink(secret: string, link: string): LinkClaims | null {
  const [, id = '', sessionId = '', time = '', signature = ''] = LINK.exec(link) ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(secret, `${id}-${sessionId}-${time}`));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { id, sessionId, expiresAt: new Date(Number.parseInt(time, 36)) };
}
