import { createHmac } from 'node:crypto';
import { invalid } from '@mozhan/contract/errors.ts';
import { isForbidden } from './address.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const MOST_ENDPOINTS = 20;
/** How long what was sent is remembered. */
export const LOG_LIFE = 30 * DAY;
/** Where nothing arrives for so long nothing more is sent. */
export const GIVE_UP_AFTER = 3 * DAY;
/** Longer than one attempt can take: who died meanwhile has it taken over. */
export const LEASE = MINUTE;

/** How long to wait after the first attempt, the second …: a day in all. */
const waits = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR, 10 * HOUR];

/** When to try again; null: it was the last attempt. */
export function nextAttempt(attempts: number, now: Date): Date | null {
  const wait = waits[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}

export const isDelivered = (code: number | null): boolean => code !== null && code >= 200 && code < 300;

/** By it the receiver knows that it is from us, and from when. */
export const sign = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** What can be said of it before its name is looked up. */
export function checkUrl(url: string, mayBePrivate: boolean): void {
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') throw invalid('url', '网址里不能带用户名和密码');
  if (mayBePrivate) return;
  if (protocol !== 'https:') throw invalid('url', '请填写以 https:// 开头的网址');
  if (isForbidden(hostname)) throw invalid('url', '不能发往本机或内网的地址');
}
