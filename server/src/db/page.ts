import type { Page } from '@mozhan/contract/common.ts';
import { invalid } from '@mozhan/contract/errors.ts';

export interface PageQuery {
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

/** What stands before the id in the key of a row. */
export type KeyPart = keyof typeof shapes;

/** JavaScript knows a 31st of February, a year 0 and a year 200,000; the database does not. */
function isTime(text: string): boolean {
  const time = new Date(/^(?!0000)\d{4}-/.test(text) ? text : Number.NaN);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

const shapes = {
  time: isTime,
  /** Of what may never have happened. */
  timeOrNever: (text: string) => text === '-infinity' || isTime(text),
  day: (text: string) => isTime(`${text}T00:00:00.000Z`),
  int: (text: string) => /^-?\d{1,9}$/.test(text),
  bigint: (text: string) => /^-?\d{1,15}$/.test(text),
  float: (text: string) => /^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,2})?$/.test(text),
  flag: (text: string) => text === '0' || text === '1',
  text: () => true,
};

/** Where a list goes on: behind a key when a cursor was given, else at an offset. */
export interface Position {
  after: string[] | null;
  offset: number;
  limit: number;
}

/**
 * One page of a list ordered by a key. The cursor is the last row's key, so that going on costs the same at any
 * depth; page numbers count rows and are for the first pages only.
 */
export async function readPage<Row>(
  query: PageQuery,
  source: {
    rows: (position: Position) => Promise<Row[]>;
    total: () => Promise<number>;
    key: (row: Row) => string[];
    /** The parts of the key before the id. A cursor that has others is none of this list, and refused. */
    parts?: readonly KeyPart[];
  },
): Promise<Page<Row>> {
  const after = query.cursor === undefined ? null : parseCursor(query.cursor, source.parts ?? []);
  const offset = after === null ? (query.page - 1) * query.pageSize : 0;
  const [rows, total] = await Promise.all([
    source.rows({ after, offset, limit: query.pageSize + 1 }),
    source.total(),
  ]);
  const list = rows.slice(0, query.pageSize);
  const last = rows.length > query.pageSize ? list.at(-1) : undefined;
  return {
    list,
    total,
    page: query.page,
    pageSize: query.pageSize,
    next: last === undefined ? null : makeCursor(source.key(last)),
  };
}

/** The same page of something else. */
export const mapPage = <Row, View>(page: Page<Row>, toView: (row: Row) => View): Page<View> => ({
  ...page,
  list: page.list.map((row) => toView(row)),
});

const makeCursor = (key: string[]): string => Buffer.from(JSON.stringify(key)).toString('base64url');

function parseCursor(cursor: string, parts: readonly KeyPart[]): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isKey(key, parts)) return key;
  } catch {
    // Answered below: whatever is wrong with it, it is not one of ours.
  }
  throw invalid('cursor', '游标无效，请从第一页重新开始');
}

/** Text that the database can compare, the last of it an id, which makes every key unique. */
const isKey = (key: unknown, parts: readonly KeyPart[]): key is string[] =>
  Array.isArray(key) &&
  key.length === parts.length + 1 &&
  key.every((part) => typeof part === 'string' && !part.includes('\0')) &&
  parts.every((part, index) => shapes[part](key[index])) &&
  /^[0-9a-f]{32}$/.test(key.at(-1));
