import { createHmac, timingSafeEqual } from 'node:crypto';
import { type SiteSettings, siteSettings } from '@mozhan/contract/site.ts';

const PREVIEW_TTL_MS = 10 * 60_000;
const TOKEN = /^([\w-]{1,6000})\.([\w-]{43})$/;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`preview\n${text}`).digest('base64url');

/** Signs unsaved settings; anyone with the token can preview them for ten minutes. */
export function createPreviewToken(secret: string, given: Partial<SiteSettings>, now: Date): string {
  const text = Buffer.from(JSON.stringify({ given, until: now.getTime() + PREVIEW_TTL_MS })).toString(
    'base64url',
  );
  return `${text}.${sign(secret, text)}`;
}

const previewSettings = siteSettings.partial();

/** Returns null for an expired or forged token, and undefined for text that does not look like one. */
export function parsePreviewToken(
  secret: string,
  token: string,
  now: Date,
): Partial<SiteSettings> | null | undefined {
  const [, text, signature = ''] = TOKEN.exec(token) ?? [];
  if (text === undefined) return undefined;
  const [sent, expected] = [Buffer.from(signature), Buffer.from(sign(secret, text))];
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
  const { given, until } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  return until < now.getTime() ? null : previewSettings.parse(given);
}
