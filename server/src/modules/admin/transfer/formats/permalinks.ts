import { createHash } from 'node:crypto';
import { getDateParts } from './dates.ts';
import { type Fields, getList, getText } from './front-matter.ts';

/** Values for the placeholders of a pattern; null for a value that is not known. */
export type PatternValues = Readonly<Record<string, string | null>>;

const PLACEHOLDER = /:([a-z_]+)|\{([a-z_]+)\}|\[([a-z]+)(?::[^[\]]*)?\]/gi;

/** Fills `:year/:title/`, `/{year}/{slug}/` or `/[year:digital:4]/[slug].html`; null if a value is missing. */
export function fillPattern(pattern: string, values: PatternValues): string | null {
  let isComplete = true;
  const filled = pattern.replace(PLACEHOLDER, (_, colon?: string, brace?: string, bracket?: string) => {
    const name = (colon ?? brace ?? bracket ?? '').toLowerCase();
    // `:constructor` would find a function of every object.
    const value = Object.hasOwn(values, name) ? values[name] : null;
    if (value === undefined || value === null) isComplete = false;
    return value ?? '';
  });
  return isComplete ? `/${filled}`.replace(/\/{2,}/g, '/') : null;
}

/** `/a/b c/` with each part percent-encoded; parts that are encoded already stay. */
export const encodePathname = (path: string): string => {
  try {
    const { pathname } = new URL(`http://site.invalid${path.startsWith('/') ? '' : '/'}${path}`);
    return pathname;
  } catch {
    return path;
  }
};

const MONTH_NAMES =
  'January February March April May June July August September October November December'.split(' ');
const DAY_NAMES = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const two = (value: number): string => String(value).padStart(2, '0');

/** The placeholders that every program derives from a date. */
export function dateValues(date: Date | null, zone: string): PatternValues {
  if (date === null) return {};
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = getDateParts(date, zone);
  const midnight = Date.UTC(year, month - 1, day);
  const weekday = new Date(midnight).getUTCDay();
  return {
    year: String(year),
    short_year: two(year % 100),
    month: two(month),
    i_month: String(month),
    monthname: MONTH_NAMES[month - 1] ?? '',
    short_month: (MONTH_NAMES[month - 1] ?? '').slice(0, 3),
    day: two(day),
    i_day: String(day),
    hour: two(hour),
    minute: two(minute),
    second: two(second),
    timestamp: String(Math.floor(date.getTime() / 1000)),
    weekday: String(weekday),
    weekdayname: DAY_NAMES[weekday] ?? '',
    yearday: String((midnight - Date.UTC(year, 0, 1)) / 86_400_000 + 1),
    y_day: String((midnight - Date.UTC(year, 0, 1)) / 86_400_000 + 1).padStart(3, '0'),
  };
}

/** Hexo's identifier of a post: its slug and its date in seconds. */
export const hashSlug = (slug: string, date: Date): string =>
  createHash('sha1')
    .update(slug + String(Math.floor(date.getTime() / 1000)))
    .digest('hex')
    .slice(0, 12);

/** Like Hugo's and Jekyll's slugs: lower case, everything except letters and digits becomes a hyphen. */
export const slugify = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-/, '')
    .replace(/-$/, '');

/** Addresses that plugins redirect to the item. */
export const listAliases = (fields: Fields): string[] =>
  ['aliases', 'alias', 'redirect_from', 'redirects'].flatMap((name) => getList(fields, name));

/** Plain values of front matter, which Hexo accepts as placeholders: `:abbrlink`, `:id`. */
export const fieldValues = (fields: Fields): PatternValues =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const value = getText(fields, name);
      return value === '' ? [] : [[name.toLowerCase(), value]];
    }),
  );
