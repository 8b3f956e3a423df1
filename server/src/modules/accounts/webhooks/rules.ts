import { createHmac } from 'node:crypto';
import { invalidField } from '@mozhan/contract/errors.ts';
import { isPrivateHost } from '../../../outgoing/public-address.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const MAX_ENDPOINTS = 20;
export const LOG_RETENTION = 30 * DAY;
/** An endpoint that fails for this long is disabled. */
export const DISABLE_AFTER = 3 * DAY;
/** Longer than one attempt can take; afterwards another process may claim the delivery. */
export const LEASE_DURATION = MINUTE;

/** Delays after the first, second, … attempt: one day in total. */
const retryDelays = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 8 * HOUR, 10 * HOUR];

export function getNextAttemptTime(attempts: number, now: Date): Date | null {
  const wait = retryDelays[attempts - 1];
  return wait === undefined ? null : new Date(now.getTime() + wait);
}

export const isSuccessStatus = (code: number | null): boolean => code !== null && code >= 200 && code < 300;

export const signBody = (secret: string, timestamp: number, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;

/** Checks that need no DNS lookup. */
export function checkEndpointUrl(url: string, allowPrivate: boolean): void {
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') throw invalidField('url', '网址里不能带用户名和密码');
  if (allowPrivate) return;
  if (protocol !== 'https:') throw invalidField('url', '请填写以 https:// 开头的网址');
  if (isPrivateHost(hostname)) throw invalidField('url', '不能发往本机或内网的地址');
}
