import type { Page } from '@mozhan/contract/common.ts';
import { and, desc, like, lt } from 'drizzle-orm';
import type { Db } from '../../../../db/client.ts';
import { newId } from '../../../../db/id.ts';
import { escapeLike } from '../../../../db/keyword.ts';
import { type PageQuery, readPage } from '../../../../db/page.ts';
import { createRowQueries } from '../../../../db/row-queries.ts';
import { searchTermLists, searchTerms } from '../tables.ts';

export type TermRow = typeof searchTerms.$inferSelect;

export const termRows = createRowQueries(searchTerms, '词典里没有这个词');

/** Newest first. There are at most a few thousand words, so the keyword needs no index. */
export function listTerms(
  db: Db,
  query: PageQuery & { keyword?: string | undefined },
): Promise<Page<TermRow>> {
  const match = query.keyword ? like(searchTerms.word, `%${escapeLike(query.keyword)}%`) : undefined;
  return readPage(query, {
    rows: ({ after, offset, limit }) =>
      db
        .select()
        .from(searchTerms)
        .where(and(match, after === null ? undefined : lt(searchTerms.id, after[0] ?? '')))
        .orderBy(desc(searchTerms.id))
        .offset(offset)
        .limit(limit),
    total: () => termRows.count(db, match),
    key: (row) => [row.id],
  });
}

export async function listTermWords(db: Db): Promise<string[]> {
  const rows = await db.select({ word: searchTerms.word }).from(searchTerms);
  return rows.map((row) => row.word);
}

/** Returns the words that were not there before. */
export async function insertTerms(db: Db, words: string[], createdAt: Date): Promise<string[]> {
  const rows = await db
    .insert(searchTerms)
    .values(words.map((word) => ({ id: newId(), word, createdAt })))
    .onConflictDoNothing()
    .returning({ word: searchTerms.word });
  return rows.map((row) => row.word);
}

/** Returns the same version for every key, because there is one list. */
export function createVersionQuery(db: Db): (keys: string[]) => Promise<Map<string, string>> {
  const query = db
    .select({ version: searchTermLists.version })
    .from(searchTermLists)
    .prepare('search_terms_version');
  return async (keys) => {
    const [row] = await query.execute();
    return new Map(row === undefined ? [] : keys.map((key) => [key, row.version]));
  };
}

/** Also serialises changes: the row is locked until the transaction ends. */
export async function renewTermListVersion(db: Db): Promise<void> {
  await db.update(searchTermLists).set({ version: newId() });
}

export async function getTermListVersion(db: Db): Promise<{ version: string; isIndexed: boolean }> {
  const [row] = await db.select().from(searchTermLists);
  if (row === undefined) throw new Error('the version of the search terms is missing');
  return { version: row.version, isIndexed: row.version === row.indexedVersion };
}

/** Call it after all essays were indexed with this version or a later one. */
export async function updateIndexedVersion(db: Db, indexedVersion: string): Promise<void> {
  await db.update(searchTermLists).set({ indexedVersion });
}
