/** Values as the site writes them. Times are those of the site's readers, so that server and browser write the same. */
const ZONE_MS = 8 * 3600_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const DASH = '-';

type Moment = string | number | Date | null | undefined;

/** Also the words that a careless program writes for nothing. */
export const isEmpty = (value: unknown): value is null | undefined | '' | 'undefined' | 'null' =>
  value === null || value === undefined || value === '' || value === 'undefined' || value === 'null';

export const orDash = (value: string | number | null | undefined): string =>
  isEmpty(value) ? DASH : String(value);

/** At most `max` characters, then dots. A character is what a reader counts as one, not half of an emoji. */
export function truncate(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max).join('')}...`;
}

/** `YYYY-MM-DDTHH:mm:ss` on the clocks of the zone; undefined when it is no moment at all. */
function inZone(at: Moment): string | undefined {
  if (isEmpty(at)) return undefined;
  const time = new Date(at).getTime();
  return Number.isNaN(time) ? undefined : new Date(time + ZONE_MS).toISOString().slice(0, 19);
}

/** YYYY-MM-DD HH:mm:ss */
export const formatDateTime = (at: Moment): string => inZone(at)?.replace('T', ' ') ?? DASH;

/** YYYY-MM-DD */
export const formatDate = (at: Moment): string => inZone(at)?.slice(0, 10) ?? DASH;

/** HH:mm:ss */
export const formatTime = (at: Moment): string => inZone(at)?.slice(11) ?? DASH;

/** YYYY-M-D */
export const formatShortDate = (at: Moment): string => formatDate(at).replace(/-0/g, '-');

const dayOf = (time: number): number => Math.floor((time + ZONE_MS) / DAY);

/** How long ago, as one says it; older than a week, the date. */
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

/** 9999, 1.2万, 3亿. Rounded down: nobody has more readers than they have. */
export function formatCount(count: number): string {
  const unit = units.find(([size]) => count >= size);
  return unit === undefined ? String(count) : `${Math.floor((count / unit[0]) * 10) / 10}${unit[1]}`;
}

const endsWith = (pattern: RegExp) => (path: string) => pattern.test(path.replace(/[?#].*/, ''));

/** By extension, whatever follows it in an address. */
export const isImage = endsWith(/\.(jpe?g|png|webp|gif)$/i);
export const isVideo = endsWith(/\.(mp4|m3u8)$/i);
export const isPdf = endsWith(/\.pdf$/i);

/** The address of a page or file on the web, as a whole. */
export const isUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#.]+(\.[^\s/?#.]+)*(:\d+)?([/?#]\S*)?$/i.test(text);

/** 32 hexadecimal characters. Not `crypto.randomUUID`, which browsers keep from sites on plain HTTP. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
