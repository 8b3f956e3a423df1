import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SiteSettings, siteSettings } from '@mozhan/contract/site.ts';

const LIFE = 10 * 60_000;
const TOKEN = /^([\w-]{1,6000})\.([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`preview\n${text}`).digest('base64url');

/** Carries settings that nobody has saved, for whoever has it and for ten minutes. */
export function makePreview(secret: string, given: Partial<SiteSettings>, now: Date): string {
  const text = Buffer.from(JSON.stringify({ given, until: now.getTime() + LIFE })).toString('base64url');
  return `${text}.${sign(secret, text)}`;
}

const previewed = siteSettings.partial();

/** Null when it was one of ours, or pretends to be; undefined when it is something else, as in links of other programs. */
export function readPreview(
  secret: string,
  token: string,
  now: Date,
): Partial<SiteSettings> | null | undefined {
  const [, text, signature = ''] = TOKEN.exec(token) ?? [];
  if (text === undefined) return undefined;
  const [sent, expected] = [Buffer.from(signature), Buffer.from(sign(secret, text))];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const { given, until } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return until < now.getTime() ? null : previewed.parse(given);
}
