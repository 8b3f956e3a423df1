import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { MAX_HEAD_LENGTH } from './types.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Configurations of large sites with menus in several languages are long. */
const MAX_CONFIG_LENGTH = 256 * 1024;

export interface FrontMatterFile {
  fields: Fields;
  body: string;
  /** The file has front matter that cannot be parsed. */
  isBroken: boolean;
}

// The check for duplicate keys takes quadratic time.
const parseStrictYaml = (text: string): unknown => parseYaml(text, { uniqueKeys: false });

/** Accepts tabs as white space, which the parsers of Hugo and Hexo do. */
function parseLooseYaml(text: string): unknown {
  try {
    return parseStrictYaml(text);
  } catch (error) {
    if (!text.includes('\t')) throw error;
    return parseStrictYaml(text.replaceAll('\t', '  '));
  }
}

const HEAD_FORMATS = [
  {
    pattern: /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/,
    parse: parseLooseYaml,
  },
  {
    pattern: /^\+\+\+[ \t]*\n([\s\S]*?)\n?\+\+\+[ \t]*(?:\n|$)/,
    parse: (text: string): unknown => parseToml(text),
  },
  { pattern: /^(\{\n[\s\S]*?\n\})[ \t]*(?:\n|$)/, parse: (text: string): unknown => JSON.parse(text) },
];

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

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
  return parseOpenHead(text) ?? { fields: {}, body: text, isBroken: false };
}

/** Hexo accepts front matter without the first `---`. */
function parseOpenHead(text: string): FrontMatterFile | null {
  if (!/^(?:title|date|layout|categories|category|tags|author|permalink): ?/.test(text)) return null;
  const end = text.slice(0, MAX_HEAD_LENGTH).search(/\n---[ \t]*\n/);
  if (end < 0) return null;
  const body = text.slice(text.indexOf('\n', end + 1) + 1);
  const fields = parseConfig('head.yml', text.slice(0, end));
  return fields === null ? { fields: {}, body, isBroken: true } : { fields, body, isBroken: false };
}

/** Parses a configuration in YAML, TOML or JSON, by its name; null if it cannot be read. */
export function parseConfig(name: string, text: string): Fields | null {
  if (text.length > MAX_CONFIG_LENGTH) return null;
  try {
    const plain = text.replace(/^\uFEFF/, '');
    const fields: unknown = /\.toml$/i.test(name)
      ? parseToml(plain)
      : /\.json$/i.test(name)
        ? JSON.parse(plain)
        : parseLooseYaml(plain);
    return isFields(fields) ? fields : null;
  } catch {
    return null;
  }
}

/** A table within the fields; empty if there is none. */
export const getFields = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isFields(value) ? value : {};
};

export function getText(fields: Fields, ...names: string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

const MAX_LIST_LENGTH = 1000;
const MAX_LIST_DEPTH = 3;

/** The length is limited on every level, because a list that contains itself many times grows with each. */
function flatten(list: readonly unknown[]): unknown[] {
  let flat = list.slice(0, MAX_LIST_LENGTH);
  for (let depth = 0; depth < MAX_LIST_DEPTH; depth += 1) flat = flat.flat().slice(0, MAX_LIST_LENGTH);
  return flat;
}

/** Accepts a list, also a nested one, or comma-separated words; of objects their `name` is used. */
export function getList(fields: Fields, ...names: string[]): string[] {
  for (const name of names) {
    const value = fields[name];
    const list = Array.isArray(value)
      ? flatten(value)
      : typeof value === 'string'
        ? value.split(/[,，]/)
        : [value];
    const texts = list
      .slice(0, MAX_LIST_LENGTH)
      .map((each) => (isFields(each) ? each.name : each))
      .flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? [String(each).trim()] : []))
      .filter((each) => each !== '');
    if (texts.length > 0) return [...new Set(texts)];
  }
  return [];
}

/** Accepts `true`, `yes`, `on` and `1`. */
export const isTrue = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === true || /^(?:true|yes|on|1)$/i.test(getText(fields, name)));

/** Accepts `false`, `no`, `off` and `0`; a missing field is not false. */
export const isFalse = (fields: Fields, ...names: string[]): boolean =>
  names.some((name) => fields[name] === false || /^(?:false|no|off|0)$/i.test(getText(fields, name)));
