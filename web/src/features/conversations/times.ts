import { formatDate, formatTime } from '#web/lib/format.ts';

const DAY = 86_400_000;
const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'];

/** Noon of the day in the site's time zone, so that differences are full days. */
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

const formatClock = (at: string) => formatTime(at).slice(0, 5);

/** For message logs: 今天 14:02. */
export const formatMessageTime = (at: string, now: number): string =>
  `${dayName(at, now)} ${formatClock(at)}`;

/** For conversation lists: the time for today, otherwise the day. */
export function formatListTime(at: string, now: number): string {
  const day = dayName(at, now);
  return day === '今天' ? formatClock(at) : day;
}
