import { createHmac, timingSafeEqual } from 'node:crypto';

const LINK = /^([0-9a-f]{32})-([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`backup\n${text}`).digest('base64url');

interface Target {
  /** Of the backup. */
  id: string;
  /** Of whoever it was made for: the link ends with it. */
  sessionId: string;
  expiresAt: Date;
}

export function makeLink(secret: string, { id, sessionId, expiresAt }: Target): string {
  const text = `${id}-${sessionId}-${expiresAt.getTime().toString(36)}`;
  return `${text}-${sign(secret, text)}`;
}

/** Null when it is none of ours. */
export function readLink(secret: string, link: string): Target | null {
  const [, id = '', sessionId = '', time = '', signature = ''] = LINK.exec(link) ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(secret, `${id}-${sessionId}-${time}`));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { id, sessionId, expiresAt: new Date(Number.parseInt(time, 36)) };
}
