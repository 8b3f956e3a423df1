import { createHmac, timingSafeEqual } from 'node:crypto';

const LINK = /^([0-9a-f]{32})-([0-9a-z]{1,12})-([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`backup\n${text}`).digest('base64url');

/** Good until then for whoever has it. */
export function makeLink(secret: string, id: string, expiresAt: Date): string {
  const text = `${id}-${expiresAt.getTime().toString(36)}`;
  return `${text}-${sign(secret, text)}`;
}

/** Null when it is none of ours. */
export function readLink(secret: string, link: string): { id: string; expiresAt: Date } | null {
  const [, id = '', time = '', signature = ''] = LINK.exec(link) ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(sign(secret, `${id}-${time}`));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return { id, expiresAt: new Date(Number.parseInt(time, 36)) };
}
