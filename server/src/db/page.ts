import type { Page } from '#contract/common.ts';
import { invalid } from '#contract/errors.ts';

export interface PageQuery {
  page: number;
  pageSize: number;
  cursor?: string | undefined;
}

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
  },
): Promise<Page<Row>> {
  const after = query.cursor === undefined ? null : parseCursor(query.cursor);
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

const makeCursor = (key: string[]): string => Buffer.from(JSON.stringify(key)).toString('base64url');

function parseCursor(cursor: string): string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isKey(key)) return key;
  } catch {
    // Answered below: whatever is wrong with it, it is not one of ours.
  }
  throw invalid('cursor', '游标无效，请从第一页重新开始');
}

/** Text that the database can compare, the last of it an id, which makes every key unique. */
const isKey = (key: unknown): key is string[] =>
  Array.isArray(key) &&
  key.every((part) => typeof part === 'string' && !part.includes('\0')) &&
  /^[0-9a-f]{32}$/.test(String(key.at(-1)));
