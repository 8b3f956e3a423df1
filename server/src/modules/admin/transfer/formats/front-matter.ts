import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { LONGEST_HEAD } from './types.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Parted {
  fields: Fields;
  body: string;
  /** There is a head, but nobody can read it. */
  isBroken: boolean;
}

const HEADS = [
  {
    pattern: /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/,
    // Looking for keys that come twice takes the square of their number.
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

/** The head of a file as Hexo and Hugo write it: YAML, TOML or JSON. */
export function partFile(file: string): Parted {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  for (const { pattern, parse } of HEADS) {
    const [whole, head] = pattern.exec(text) ?? [];
    if (whole === undefined || head === undefined) continue;
    const body = text.slice(whole.length);
    if (head.length > LONGEST_HEAD) return { fields: {}, body, isBroken: true };
    try {
      const fields = head.trim() === '' ? {} : parse(head);
      return isFields(fields) ? { fields, body, isBroken: false } : { fields: {}, body, isBroken: true };
    } catch {
      return { fields: {}, body, isBroken: true };
    }
  }
  return { fields: {}, body: text, isBroken: false };
}

/** The first of these that is a text. */
export function textOf(fields: Fields, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** A list, or words apart by commas; of lists in lists the first of each. */
export function listOf(fields: Fields, ...names: string[]): string[] {
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

/** `true`, and what people write instead. */
export const isOn = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === true || /^(?:true|yes|on|1)$/i.test(textOf(fields, name)));

/** `false`, and what people write instead; what is not there is not off. */
export const isOff = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === false || /^(?:false|no|off|0)$/i.test(textOf(fields, name)));

/** `2024-01-02`, `2024/1/2 3:04`, `2024.01.02 03:04:05 +0800`, `2024-01-02T03:04:05Z`. */
const NUMERIC =
  /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)? ?(Z|[+-]\d{2}:?\d{2})?$/;
/** `Tue, 02 Jan 2024 03:04:05 GMT`, `Jan 2, 2024`. Without this the parser would make a date of any text that has a number. */
const NAMED =
  /^(?:[A-Z][a-z]{2,8},? )?(?:(\d{1,2}) ([A-Z][a-z]{2,8})|([A-Z][a-z]{2,8}) (\d{1,2}),?) (\d{4})(?: \d{2}:\d{2}(?::\d{2})?)?( (?:GMT|UTC|[+-]\d{2}:?\d{2}).*)?$/;
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** 31 February is not taken for 2 March. */
const isDay = (year: string, month: number, day: string): boolean =>
  new Date(Date.UTC(Number(year), month - 1, Number(day))).getUTCDate() === Number(day);

/** One that names no zone is meant in China. */
function parseNumeric(parts: readonly string[]): Date | null {
  const [year = '', month = '', day = '', hour = '0', minute = '00', second = '00', zone = '+08:00'] = parts;
  const two = (part: string) => part.padStart(2, '0');
  const at = `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}`;
  return isDay(year, Number(month), day) ? new Date(`${at}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`) : null;
}

function parseNamed(text: string): Date | null {
  const [named, day, month, monthFirst, dayBehind, year = '', zone] = NAMED.exec(text) ?? [];
  const place = MONTHS.indexOf((month ?? monthFirst ?? '?').slice(0, 3));
  if (named === undefined || !isDay(year, place / 3 + 1, day ?? dayBehind ?? '')) return null;
  return new Date(zone === undefined ? `${text} GMT+0800` : text);
}

/** `20240102`, seconds or milliseconds since 1970. */
function parseDigits(digits: string): Date | null {
  if (digits.length === 8) return parseNumeric([digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)]);
  if (digits.length === 10) return new Date(Number(digits) * 1000);
  return digits.length === 13 ? new Date(Number(digits)) : null;
}

function parseMoment(text: string): Date | null {
  if (/^\d+$/.test(text)) return parseDigits(text);
  const numeric = NUMERIC.exec(text);
  return numeric === null ? parseNamed(text) : parseNumeric(numeric.slice(1));
}

/** A moment since 1970 that an essay may be of. */
export function readMoment(value: unknown): Date | null {
  if (value instanceof Date) return readMoment(value.toISOString());
  const moment =
    typeof value === 'string' || typeof value === 'number' ? parseMoment(String(value).trim()) : null;
  const year = moment?.getUTCFullYear() ?? Number.NaN;
  return year >= 1970 && year <= 2100 ? moment : null;
}

/** Of these fields the first that is a moment. */
export const momentOf = (fields: Fields, ...names: string[]): Date | null =>
  names.map((name) => readMoment(fields[name])).find((moment) => moment !== null) ?? null;

/** What is given as a date and is none. */
export const unreadDates = (values: readonly unknown[]): string[] =>
  values
    .filter((value) => value !== undefined && value !== null && value !== '' && readMoment(value) === null)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 60));
