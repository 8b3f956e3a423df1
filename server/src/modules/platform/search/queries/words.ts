import { asc, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '../../../../db/client.ts';
import { startsWith } from '../../../../db/keyword.ts';
import { parseRows } from '../../../../db/rows.ts';
import { searchNewWords, searchWords } from '../tables.ts';

/** Only inserts, so that concurrent publications do not wait for each other. */
export async function insertNewWords(db: Db, words: string[]): Promise<void> {
  await db.insert(searchNewWords).values({ words });
}

export async function consumeNewWords(db: Db, limit: number): Promise<string[][]> {
  const first = db
    .select({ id: searchNewWords.id })
    .from(searchNewWords)
    .orderBy(asc(searchNewWords.id))
    .limit(limit)
    .for('update', { skipLocked: true });
  const rows = await db
    .delete(searchNewWords)
    .where(inArray(searchNewWords.id, first))
    .returning({ words: searchNewWords.words });
  return rows.map((row) => row.words);
}

export async function addWords(db: Db, words: (typeof searchWords.$inferInsert)[]): Promise<void> {
  await db
    .insert(searchWords)
    .values(words)
    .onConflictDoUpdate({
      target: searchWords.word,
      set: { uses: sql`${searchWords.uses} + excluded.uses` },
    });
}

const wordRow = z.object({ word: z.string() });

/** Returns those that the vocabulary does not contain yet. */
export async function listUnknownWords(db: Db, words: string[]): Promise<string[]> {
  const result = await db.execute(sql`
    select word from unnest(${sql.param(words)}::text[]) as asked(word)
    where not exists (select from ${searchWords} known where known.word = asked.word)`);
  return parseRows(wordRow, result).map((row) => row.word);
}

const usedRow = wordRow.extend({ uses: z.int() });

const MAX_SIMILAR = 1000;

/** Lists words that share a spelling key, the most used first. */
export async function listSimilarWords(db: Db, keys: number[]): Promise<{ word: string; uses: number }[]> {
  const result = await db.execute(sql`
    select word, uses from ${searchWords} where keys && ${`{${keys.join()}}`}::int[]
    order by uses desc, word limit ${MAX_SIMILAR}`);
  return parseRows(usedRow, result);
}

export async function listWordsByPrefix(db: Db, beginning: string, limit: number): Promise<string[]> {
  const result = await db.execute(sql`
    select word from (
      select word, uses from ${searchWords} where ${startsWith(sql`word`, beginning)} limit 1000) as found
    order by uses desc, word limit ${limit}`);
  return parseRows(wordRow, result).map((row) => row.word);
}
