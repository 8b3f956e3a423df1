import type { Page } from '@mozhan/contract/common.ts';
import { SORT_ORDER, type SortOrder } from '@mozhan/contract/enums.ts';
import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { and, asc, desc, eq, gt, ilike, inArray, like, lt, or } from 'drizzle-orm';
import type { Db } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { escapeLike } from '../../../db/keyword.ts';
import { type PageQuery, readPage } from '../../../db/page.ts';
import { createRowQueries } from '../../../db/row-queries.ts';
import type { WordEntry } from './matcher.ts';
import { toPattern } from './normalize.ts';
import { type Word, wordLists, words } from './tables.ts';

export const wordRows = createRowQueries(words, '没有找到这个敏感词');

interface WordQuery extends PageQuery {
  keyword?: string | undefined;
  level?: WordLevel | undefined;
  enabled?: boolean | undefined;
  sort?: 'createdAt' | 'word' | undefined;
  order?: SortOrder | undefined;
}

/** Sorts by creation, newest first, by default; `sort: 'word'` sorts by key. */
export function listWords(db: Db, query: WordQuery): Promise<Page<Word>> {
  const { keyword, level, enabled, sort, order } = query;
  const by = sort === 'word' ? words.key : words.id;
  const [direction, behind] = sort === undefined || order === SORT_ORDER.descending ? [desc, lt] : [asc, gt];
  const pattern = `%${escapeLike(keyword ?? '')}%`;
  // Also finds spelling variants of the keyword.
  const key = toPattern(keyword ?? '').key;
  const match = and(
    keyword
      ? or(
          ilike(words.word, pattern),
          ilike(words.note, pattern),
          key === '' ? undefined : like(words.key, `%${escapeLike(key)}%`),
        )
      : undefined,
    level === undefined ? undefined : eq(words.level, level),
    enabled === undefined ? undefined : eq(words.enabled, enabled),
  );
  return readPage(query, {
    rows: ({ after, offset, limit }) => {
      // Keys are unique, so the cursor needs no second column.
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

export const listEnabledWords = (db: Db): Promise<WordEntry[]> =>
  db.select({ word: words.word, level: words.level }).from(words).where(eq(words.enabled, true));

/** Returns the same version for every key, because there is one list. */
export function createVersionQuery(db: Db): (keys: string[]) => Promise<Map<string, string>> {
  const query = db.select().from(wordLists).prepare('words_version');
  return async (keys) => {
    const [row] = await query.execute();
    return new Map(row === undefined ? [] : keys.map((key) => [key, row.version]));
  };
}

/** Also serialises changes: the row is locked until the transaction ends. */
export async function renewWordListVersion(db: Db): Promise<void> {
  await db.update(wordLists).set({ version: newId() });
}

export async function listKnownKeys(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db.select({ key: words.key }).from(words).where(inArray(words.key, keys));
  return new Set(rows.map((row) => row.key));
}
