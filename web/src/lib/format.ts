/** Times are formatted in the site's time zone, so that server and browser render the same text. */
const ZONE_MS = 8 * 3600_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DASH = '-';

type DateInput = string | number | Date | null | undefined;

/** Also treats the texts 'undefined' and 'null' as empty. */
export const isEmpty = (value: unknown): value is null | undefined | '' | 'undefined' | 'null' =>
  value === null || value === undefined || value === '' || value === 'undefined' || value === 'null';

export const formatOrDash = (value: string | number | null | undefined): string =>
  isEmpty(value) ? DASH : String(value);

/** Truncates to `max` characters and appends dots; surrogate pairs are not split. */
export function truncate(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max).join('')}...`;
}

/** `YYYY-MM-DDTHH:mm:ss` in the site's time zone; undefined for an invalid date. */
function toSiteTime(at: DateInput): string | undefined {
  if (isEmpty(at)) return undefined;
  const time = new Date(at).getTime();
  return Number.isNaN(time) ? undefined : new Date(time + ZONE_MS).toISOString().slice(0, 19);
}

/** YYYY-MM-DD HH:mm:ss */
export const formatDateTime = (at: DateInput): string => toSiteTime(at)?.replace('T', ' ') ?? DASH;

/** YYYY-MM-DD */
export const formatDate = (at: DateInput): string => toSiteTime(at)?.slice(0, 10) ?? DASH;

/** HH:mm:ss */
export const formatTime = (at: DateInput): string => toSiteTime(at)?.slice(11) ?? DASH;

/** YYYY-M-D */
export const formatShortDate = (at: DateInput): string => formatDate(at).replace(/-0/g, '-');

const dayOf = (time: number): number => Math.floor((time + ZONE_MS) / DAY);

/** Relative time; dates older than a week are formatted as a date. */
export function timeAgo(at: string, now: number): string {
  const time = new Date(at).getTime();
  const age = now - time;
  if (Number.isNaN(age)) return DASH;
  if (age < MINUTE) return '刚刚';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} 分钟前`;
  if (age < DAY) return `${Math.floor(age / HOUR)} 小时前`;
  const days = dayOf(now) - dayOf(time);
  if (days === 1) return '昨天';
  return days < 7 ? `${days} 天前` : formatDate(at);
}

const units = [
  [100_000_000, '亿'],
  [10_000, '万'],
] as const;

/** 9999, 1.2万, 3亿. Always rounds down. */
export function formatCount(count: number): string {
  const unit = units.find(([size]) => count >= size);
  return unit === undefined ? String(count) : `${Math.floor((count / unit[0]) * 10) / 10}${unit[1]}`;
}

const endsWith = (pattern: RegExp) => (path: string) => pattern.test(path.replace(/[?#].*/, ''));

/** By extension, ignoring query and fragment. */
export const isImage = endsWith(/\.(jpe?g|png|webp|gif)$/i);
export const isVideo = endsWith(/\.(mp4|m3u8)$/i);
export const isPdf = endsWith(/\.pdf$/i);

export const isUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#.]+(\.[^\s/?#.]+)*(:\d+)?([/?#]\S*)?$/i.test(text);

/** 32 hexadecimal characters. `crypto.randomUUID` is not available on plain HTTP. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
