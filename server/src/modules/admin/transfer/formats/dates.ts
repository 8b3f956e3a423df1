/** The zone of sites that do not declare one. */
export const DEFAULT_ZONE = 'Asia/Shanghai';

const formatters = new Map<string, Intl.DateTimeFormat | null>();

function createFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
}

function getFormatter(timeZone: string): Intl.DateTimeFormat | null {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = createFormatter(timeZone);
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Returns the default for an empty or unknown name, such as Asia/Beijing. */
export const toTimeZone = (name: string): string =>
  name !== '' && createFormatter(name) !== null ? name : DEFAULT_ZONE;

/** The fields of a date in a zone. */
export function getDateParts(date: Date, zone: string): Record<string, number> {
  const formatter = getFormatter(zone) ?? getFormatter('UTC');
  const parts = formatter?.formatToParts(date) ?? [];
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
}

/** Interprets the UTC fields of `fields` as local time of the zone. */
function fromZone(fields: number, zone: string): Date {
  const offsetAt = (time: number): number => {
    const {
      year = 1970,
      month = 1,
      day = 1,
      hour = 0,
      minute = 0,
      second = 0,
    } = getDateParts(new Date(time), zone);
    return Date.UTC(year, month - 1, day, hour, minute, second) - time;
  };
  // The second guess is right where the first one is across a change of daylight saving time.
  const guess = fields - offsetAt(fields);
  return new Date(fields - offsetAt(guess));
}

/**
 * `2024-01-02`, `2024/1/2 3:04`, `2024.01.02 03:04:05 +0800 CST`, `2024-01-02T03:04:05.678Z`, `2024年1月2日 3时4分`,
 * `2024-01-02 3:04 PM`.
 */
const NUMERIC =
  /^(\d{4})[-/.年] ?(\d{1,2})[-/.月] ?(\d{1,2})日?(?:[T ]? ?(上午|下午)? ?(\d{1,2})[:时点](\d{1,2})?分?(?:[:]?(\d{1,2})秒?(?:[.,]\d{1,9})?)?)? ?([AP]M)? ?(Z|UTC|GMT|(?:UTC|GMT)?[+-]\d{1,2}:?\d{0,2})?(?: [A-Z]{3,4})?$/i;
/** `Tue, 02 Jan 2024 03:04:05 GMT`, `Jan 2, 2024`, `Tue Jan 02 2024 03:04:05 GMT+0800 (CST)`. */
const NAMED =
  /^(?:[A-Z][a-z]{2,8},? )?(?:(\d{1,2})[ -]([A-Z][a-z]{2,8})|([A-Z][a-z]{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?),?[ -](\d{4}),?(?: (?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?)? ?([AP]M)? ?((?:GMT|UTC|Z)?(?:[+-]\d{2}:?\d{2})?)(?: \([^()]*\))?$/i;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

interface DateFields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Minutes; null if none is given. */
  offset: number | null;
}

function parseOffset(zone: string | undefined): number | null {
  if (zone === undefined || zone === '') return null;
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{0,2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes || '0'));
}

/** Rejects 31 February, which `Date` would convert to 2 March. */
function isValid({ year, month, day, hour, minute, second }: DateFields): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 61
  );
}

const toHour = (hour: string | undefined, half: string | undefined): number => {
  const value = Number(hour ?? '0');
  if (half === undefined) return value;
  return (value % 12) + (/^(?:下午|PM)$/i.test(half) ? 12 : 0);
};

function toDate(fields: DateFields, zone: string): Date | null {
  if (!isValid(fields)) return null;
  const { year, month, day, hour, minute, second, offset } = fields;
  const utc = Date.UTC(year, month - 1, day, hour, minute, second);
  return offset === null ? fromZone(utc, zone) : new Date(utc - offset * 60_000);
}

function parseNumeric(text: string, zone: string): Date | null {
  const found = NUMERIC.exec(text);
  if (found === null) return null;
  const [, year, month, day, chineseHalf, hour, minute, second, half, offset] = found;
  return toDate(
    {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      hour: toHour(hour, chineseHalf ?? half),
      minute: Number(minute ?? '0'),
      second: Number(second ?? '0'),
      offset: parseOffset(offset),
    },
    zone,
  );
}

function parseNamed(text: string, zone: string): Date | null {
  const found = NAMED.exec(text);
  if (found === null) return null;
  const [, day, month, monthFirst, dayAfter, year, hour, minute, second, half, offset] = found;
  const name = (month ?? monthFirst ?? '?').slice(0, 3);
  const at = MONTHS.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0 || at % 3 !== 0) return null;
  return toDate(
    {
      year: Number(year),
      month: at / 3 + 1,
      day: Number(day ?? dayAfter),
      hour: toHour(hour, half),
      minute: Number(minute ?? '0'),
      second: Number(second ?? '0'),
      offset: parseOffset(offset),
    },
    zone,
  );
}

/** `20240102`, `20240102030405`, seconds or milliseconds since 1970. */
function parseDigits(digits: string, zone: string): Date | null {
  const part = (from: number, to: number): string => digits.slice(from, to);
  if (digits.length === 8) return parseNumeric(`${part(0, 4)}-${part(4, 6)}-${part(6, 8)}`, zone);
  if (digits.length === 14)
    return parseNumeric(
      `${part(0, 4)}-${part(4, 6)}-${part(6, 8)} ${part(8, 10)}:${part(10, 12)}:${part(12, 14)}`,
      zone,
    );
  if (digits.length === 9 || digits.length === 10) return new Date(Number(digits) * 1000);
  return digits.length === 12 || digits.length === 13 ? new Date(Number(digits)) : null;
}

function parseDateText(text: string, zone: string): Date | null {
  if (/^\d+$/.test(text)) return parseDigits(text, zone);
  return parseNumeric(text, zone) ?? parseNamed(text, zone);
}

const MAX_DATE_LENGTH = 100;

/** Accepts dates from 1970 to 2100; one without a zone is local time of `zone`. */
export function parseDate(value: unknown, zone: string = DEFAULT_ZONE): Date | null {
  // Dates of TOML without a zone print themselves without one.
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? null : parseDate(value.toISOString(), zone);
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).trim().replace(/\s+/g, ' ');
  const date = text.length > MAX_DATE_LENGTH ? null : parseDateText(text, zone);
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return year >= 1970 && year <= 2100 ? date : null;
}

export const listInvalidDates = (values: readonly unknown[]): string[] =>
  values
    .filter((value) => value !== undefined && value !== null && value !== '' && parseDate(value) === null)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 60));
