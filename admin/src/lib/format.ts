import { formatYuan } from '@mozhan/contract/money.ts';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn.js';
import relativeTime from 'dayjs/plugin/relativeTime.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(relativeTime);
dayjs.locale('zh-cn');

/** Times are displayed in the site's time zone, wherever the operator is. */
const OFFSET_MINUTES = 8 * 60;

const siteTime = (iso: string) => dayjs.utc(iso).utcOffset(OFFSET_MINUTES);

export const formatDateTime = (iso: string): string => siteTime(iso).format('YYYY-MM-DD HH:mm:ss');
export const formatDate = (iso: string): string => siteTime(iso).format('YYYY-MM-DD');
export const timeAgo = (iso: string): string => dayjs(iso).fromNow();
/** Duration until now: 3 小时 … */
export const timeSince = (iso: string): string => dayjs(iso).fromNow(true);

/** 早上好 … by the site's time zone. */
export function greetingAt(now: Date): string {
  const hour = siteTime(now.toISOString()).hour();
  if (hour < 5) return '夜深了';
  if (hour < 11) return '早上好';
  if (hour < 13) return '中午好';
  return hour < 18 ? '下午好' : '晚上好';
}

export const today = (now: Date): string => siteTime(now.toISOString()).format('M 月 D 日 dddd');

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1);
  const amount = bytes / 1024 ** step;
  return `${step === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[step]}`;
}

export const orDash = (text: string | null | undefined): string => text || '-';

export const fileUrl = (basePath: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : basePath + path;

/** The price of an essay, or who may read all of it without paying. */
export function formatEssayPrice({ price, memberFree }: { price: number; memberFree: boolean }): string {
  if (price === 0) return memberFree ? '会员可读' : '免费';
  return memberFree ? `${formatYuan(price)}，会员免费` : formatYuan(price);
}
