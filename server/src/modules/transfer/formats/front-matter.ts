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

const LOCAL = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/;

/** A moment; one that names no zone is meant in China. */
export function readMoment(value: unknown): Date | null {
  if (value instanceof Date) return readMoment(value.toISOString());
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00'] =
    LOCAL.exec(text.replaceAll('/', '-')) ?? [];
  const two = (part: string) => part.padStart(2, '0');
  const moment = new Date(
    year === undefined ? text : `${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}+08:00`,
  );
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1970 || moment.getUTCFullYear() > 2100
    ? null
    : moment;
}

/** Of these fields the first that is a moment. */
export const momentOf = (fields: Fields, ...names: string[]): Date | null =>
  names.map((name) => readMoment(fields[name])).find((moment) => moment !== null) ?? null;
