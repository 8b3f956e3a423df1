import { formatDate, formatTime } from '#web/lib/format.ts';

const DAY = 86_400_000;
const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** Noon of the day, on the clocks of the site's readers: counted in days, whatever the hour. */
const noonOf = (at: string | number): number => Date.parse(`${formatDate(at)}T12:00:00Z`);

/** 今天, 昨天, 周四, 11-09, 2025-11-09. */
function dayName(at: string, now: number): string {
  const noon = noonOf(at);
  const days = Math.round((noonOf(now) - noon) / DAY);
  if (days <= 0) return '今天';
  if (days === 1) return '昨天';
  if (days < 7) return weekdays[new Date(noon).getUTCDay()] ?? '';
  const date = formatDate(at);
  return date.slice(0, 4) === formatDate(now).slice(0, 4) ? date.slice(5) : date;
}

const clock = (at: string) => formatTime(at).slice(0, 5);

/** Above what was said: 今天 14:02. */
export const saidAt = (at: string, now: number): string => `${dayName(at, now)} ${clock(at)}`;

/** In a list: 14:02 of today, else the day. */
export function listedAt(at: string, now: number): string {
  const day = dayName(at, now);
  return day === '今天' ? clock(at) : day;
}
