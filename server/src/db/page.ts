import type { Page } from '@mozhan/contract/common.ts';
import { invalidField } from '@mozhan/contract/errors.ts';

export interface PageQuery {
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

export type KeyPart = keyof typeof partValidators;

/** Rejects dates that JavaScript parses but PostgreSQL does not, such as 31 February or the year 0. */
function isTime(text: string): boolean {
  const time = new Date(/^(?!0000)\d{4}-/.test(text) ? text : Number.NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

const partValidators = {
  time: isTime,
  timeOrNever: (text: string) => text === '-infinity' || isTime(text),
  day: (text: string) => isTime(`${text}T00:00:00.000Z`),
  int: (text: string) => /^-?\d{1,9}$/.test(text),
  bigint: (text: string) => /^-?\d{1,15}$/.test(text),
  float: (text: string) => /^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?$/.test(text),
  flag: (text: string) => text === '0' || text === '1',
  id: (text: string) => /^[0-9a-f]{32}$/.test(text),
  text: () => true,
};

/** Start of a page: after a key if there is a cursor, otherwise at an offset. */
export interface PagePosition {
  after: string[] | null;
  offset: number;
  limit: number;
}

/**
 * Reads one page of a list ordered by a key. The cursor is the key of the last row, so that the next page costs the same
 * at any depth; page numbers use an offset and are for the first pages only.
 */
export async function readPage<Row>(
  query: PageQuery,
  source: {
    rows: (position: PagePosition) => Promise<Row[]>;
    /** Rows at the start of the first page, fewer than a page has; `rows` must not return them again. */
    first?: readonly Row[] | undefined;
    total: () => Promise<number>;
    key: (row: Row) => string[];
    /** The parts of the key before the id; a cursor with other parts is rejected. */
    parts?: readonly KeyPart[];
  },
): Promise<Page<Row>> {
  const after = query.cursor === undefined ? null : parseCursor(query.cursor, source.parts ?? []);
  const isFirstPage = after === null && query.page === 1;
  const first = source.first ?? [];
  const before = isFirstPage ? first : [];
  const offset = after === null && !isFirstPage ? (query.page - 1) * query.pageSize - first.length : 0;
  const [others, total] = await Promise.all([
    source.rows({ after, offset, limit: query.pageSize + 1 - before.length }),
    source.total(),
  ]);
  const rows = [...before, ...others];
  const list = rows.slice(0, query.pageSize);
  const last = rows.length > query.pageSize ? list.at(-1) : undefined;
  return {
    list,
    total,
    page: query.page,
    pageSize: query.pageSize,
    next: last === undefined ? null : encodeCursor(source.key(last)),
  };
}

export const mapPage = <Row, View>(page: Page<Row>, toView: (row: Row) => View): Page<View> => ({
  ...page,
  list: page.list.map((row) => toView(row)),
});

export const encodeCursor = (key: string[]): string => Buffer.from(JSON.stringify(key)).toString('base64url');

/** Null for a cursor of another list. */
export function findCursorKey(cursor: string, parts: readonly KeyPart[]): string[] | null {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isKey(key, parts)) return key;
  } catch {}
  return null;
}

export function parseCursor(cursor: string, parts: readonly KeyPart[]): string[] {
  const key = findCursorKey(cursor, parts);
  if (key === null) throw invalidField('cursor', '游标无效，请从第一页重新开始');
  return key;
}

const isKey = (key: unknown, parts: readonly KeyPart[]): key is string[] =>
  Array.isArray(key) &&
  key.length === parts.length + 1 &&
  key.every((part) => typeof part === 'string' && !part.includes('\0')) &&
  parts.every((part, index) => partValidators[part](key[index])) &&
  /^[0-9a-f]{32}$/.test(key.at(-1));
