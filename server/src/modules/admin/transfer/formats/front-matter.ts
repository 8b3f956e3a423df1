import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { MAX_HEAD_LENGTH } from './types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface FrontMatterFile {
  fields: Fields;
  body: string;
  /** The file has front matter that cannot be parsed. */
  isBroken: boolean;
}

const HEAD_FORMATS = [
  {
    pattern: /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/,
    // The check for duplicate keys takes quadratic time.
    parse: (text: string): unknown => parseYaml(text, { uniqueKeys: false }),
  },
  {
    pattern: /^\+\+\+[ \t]*\n([\s\S]*?)\n?\+\+\+[ \t]*(?:\n|$)/,
    parse: (text: string): unknown => parseToml(text),
  },
  { pattern: /^(\{\n[\s\S]*?\n\})[ \t]*(?:\n|$)/, parse: (text: string): unknown => JSON.parse(text) },
];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseFrontMatter(file: string): FrontMatterFile {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  for (const { pattern, parse } of HEAD_FORMATS) {
    const [block, head] = pattern.exec(text) ?? [];
    if (block === undefined || head === undefined) continue;
    const body = text.slice(block.length);
    if (head.length > MAX_HEAD_LENGTH) return { fields: {}, body, isBroken: true };
    try {
      const fields = head.trim() === '' ? {} : parse(head);
      return isFields(fields) ? { fields, body, isBroken: false } : { fields: {}, body, isBroken: true };
    } catch {
      return { fields: {}, body, isBroken: true };
    }
  }
  return { fields: {}, body: text, isBroken: false };
}

export function getText(fields: Fields, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** Accepts a list or comma-separated words; of nested lists only the first element is used. */
export function getList(fields: Fields, ...names: string[]): string[] {
  for (const name of names) {
    const value = fields[name];
    const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,，]/) : [value];
    const texts = list
      .map((each) => (Array.isArray(each) ? each[0] : each))
      .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? [String(each).trim()] : []))
      .filter((each) => each !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

/** Accepts `true`, `yes`, `on` and `1`. */
export const isTrue = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === true || /^(?:true|yes|on|1)$/i.test(getText(fields, name)));

/** Accepts `false`, `no`, `off` and `0`; a missing field is not false. */
export const isFalse = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === false || /^(?:false|no|off|0)$/i.test(getText(fields, name)));

/** `2024-01-02`, `2024/1/2 3:04`, `2024.01.02 03:04:05 +0800`, `2024-01-02T03:04:05Z`. */
const NUMERIC =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?(Z|[+-]\d{2}:?\d{2})?$/;
/** `Tue, 02 Jan 2024 03:04:05 GMT`, `Jan 2, 2024`. Without this check `Date` would accept any text with a number. */
const NAMED =
  /^(?:[A-Z][a-z]{2,8},? )?(?:(\d{1,2}) ([A-Z][a-z]{2,8})|([A-Z][a-z]{2,8}) (\d{1,2}),?) (\d{4})(?: \d{2}:\d{2}(?::\d{2})?)?( (?:GMT|UTC|[+-]\d{2}:?\d{2}).*)?$/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** Rejects 31 February, which `Date` would convert to 2 March. */
const isValidDay = (year: string, month: number, day: string): boolean =>
  new Date(Date.UTC(Number(year), month - 1, Number(day))).getUTCDate() === Number(day);

/** A time without a zone is China time. */
function parseNumeric(parts: readonly string[]): Date | null {
  const [year = '', month = '', day = '', hour = '0', minute = '00', second = '00', zone = '+08:00'] = parts;
  const two = (part: string) => part.padStart(2, '0');
  const at = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`;
  return isValidDay(year, Number(month), day)
    ? new Date(`${at}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
    : null;
}

function parseNamed(text: string): Date | null {
  const [named, day, month, monthFirst, dayAfter, year = '', zone] = NAMED.exec(text) ?? [];
  const monthOffset = MONTHS.indexOf((month ?? monthFirst ?? '?').slice(0, 3));
  if (named === undefined || !isValidDay(year, monthOffset / 3 + 1, day ?? dayAfter ?? '')) return null;
  return new Date(zone === undefined ? `${text} GMT+0800` : text);
}

/** `20240102`, seconds or milliseconds since 1970. */
function parseDigits(digits: string): Date | null {
  if (digits.length === 8) return parseNumeric([digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)]);
  if (digits.length === 10) return new Date(Number(digits) * 1000);
  return digits.length === 13 ? new Date(Number(digits)) : null;
}

function parseDateText(text: string): Date | null {
  if (/^\d+$/.test(text)) return parseDigits(text);
  const numeric = NUMERIC.exec(text);
  return numeric === null ? parseNamed(text) : parseNumeric(numeric.slice(1));
}

/** Accepts dates from 1970 to 2100. */
export function parseDate(value: unknown): Date | null {
  if (value instanceof Date) return parseDate(value.toISOString());
  const date =
    typeof value === 'string' || typeof value === 'number' ? parseDateText(String(value).trim()) : null;
  const year = date?.getUTCFullYear() ?? Number.NaN;
  return year >= 1970 && year <= 2100 ? date : null;
}

export const getDate = (fields: Fields, ...names: string[]): Date | null =>
  names.map((name) => parseDate(fields[name])).find((date) => date !== null) ?? null;

export const listInvalidDates = (values: readonly unknown[]): string[] =>
  values
    .filter((value) => value !== undefined && value !== null && value !== '' && parseDate(value) === null)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 60));
