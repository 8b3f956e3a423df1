import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { and, asc, desc, eq, gt, ilike, inArray, like, lt, or } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { literally } from '../../../db/keyword.ts';
import { type PageQuery, readPage } from '../../../db/page.ts';
import { plainRows } from '../../../db/plain-rows.ts';
import { spell } from './fold.ts';
import type { Entry } from './matcher.ts';
import { type Word, wordLists, words } from './tables.ts';

export const wordRows = plainRows(words, '没有找到这个敏感词');

interface WordQuery extends PageQuery {
  keyword?: string | undefined;
  level?: WordLevel | undefined;
  enabled?: boolean | undefined;
  sort?: 'createdAt' | 'word' | undefined;
  order?: SortOrder | undefined;
}

/** The newest first unless it is said otherwise; words in the order of their keys. */
export function listWords(db: Db, query: WordQuery): Promise<Page<Word>> {
  const { keyword, level, enabled, sort, order } = query;
  const by = sort === 'word' ? words.key : words.id;
  const [direction, behind] = sort === undefined || order === SORT_ORDER.descending ? [desc, lt] : [asc, gt];
  const pattern = `%${literally(keyword ?? '')}%`;
  // However it is written.
  const key = spell(keyword ?? '').key;
  const match = and(
    keyword
      ? or(
          ilike(words.word, pattern),
          ilike(words.note, pattern),
          key === '' ? undefined : like(words.key, `%${literally(key)}%`),
        )
      : undefined,
    level === undefined ? undefined : eq(words.level, level),
    enabled === undefined ? undefined : eq(words.enabled, enabled),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) => {
      // No two have the same key.
      const last = sort === 'word' ? after?.[0] : after?.at(-1);
      return db
        .select()
        .from(words)
        .where(and(match, last === undefined ? undefined : behind(by, last)))
        .orderBy(direction(by))
        .offset(offset)
        .limit(limit);
    },
    total: () => db.$count(words, match),
    key: (row) => (sort === 'word' ? [row.key, row.id] : [row.id]),
    parts: sort === 'word' ? ['text'] : [],
  });
}

export const listEnabled = (db: Db): Promise<Entry[]> =>
  db.select({ word: words.word, level: words.level }).from(words).where(eq(words.enabled, true));

/** By any key: there is one list. */
export function createVersionQuery(db: Db): (keys: string[]) => Promise<Map<string, string>> {
  const query = db.select().from(wordLists).prepare('words_version');
  return async (keys) => {
    const [row] = await query.execute();
    return new Map(row === undefined ? [] : keys.map((key) => [key, row.version]));
  };
}

/** Also lets one change wait for the other until the transaction ends. */
export async function renewVersion(db: Db): Promise<void> {
  await db.update(wordLists).set({ version: newId() });
}

export async function listKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db.select({ key: words.key }).from(words).where(inArray(words.key, keys));
  return new Set(rows.map((row) => row.key));
}
