import { isOn } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/sensitive-words.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { findWords, screen, type WordMatch } from './matcher.ts';
import { toPattern } from './normalize.ts';
import * as queries from './queries.ts';
import { getMatcher } from './screening.ts';
import type { Word } from './tables.ts';
import { listUnscreenedRanges } from './unscreened-ranges.ts';

/** Limits the size of the automaton. */
const MAX_WORDS = 20_000;
const MAX_HITS = 500;

type NewWordOptions = Pick<z.output<typeof calls.createWords.input>, 'level' | 'note' | 'enabled'>;

function toRow(ctx: Ctx, word: string, { level, note = '', enabled }: NewWordOptions): Word {
  const { key } = toPattern(word);
  return { id: newId(), word, key, level, note, enabled: isOn(enabled, true), createdAt: ctx.now };
}

const toLog = ({ word, level, note, enabled }: Word) => ({ word, level, note, enabled });

/** Call `renewWordListVersion` first: its lock makes the count reliable. */
async function insert(ctx: Ctx, rows: Word[]): Promise<void> {
  if ((await queries.wordRows.count(ctx.db)) + rows.length > MAX_WORDS)
    throw invalidField('words', `敏感词最多 ${MAX_WORDS} 个`);
  await queries.wordRows.insert(ctx.db, ...rows);
}

export function createWord(ctx: Ctx, word: string, more: NewWordOptions): Promise<Word> {
  return inTransaction(ctx, async (ctx) => {
    await queries.renewWordListVersion(ctx.db);
    const row = toRow(ctx, word, more);
    await insert(ctx, [row]);
    logChange(ctx, `word:${row.id}`, null, toLog(row));
    return row;
  });
}

/** Skips existing words and duplicates. */
export function createWords(
  ctx: Ctx,
  given: string[],
  more: NewWordOptions,
): Promise<{ created: number; known: number }> {
  return inTransaction(ctx, async (ctx) => {
    await queries.renewWordListVersion(ctx.db);
    const byKey = new Map<string, Word>();
    for (const row of given.map((word) => toRow(ctx, word, more)))
      if (!byKey.has(row.key)) byKey.set(row.key, row);
    const known = await queries.listKnownKeys(ctx.db, [...byKey.keys()]);
    const rows = [...byKey.values()].filter((row) => !known.has(row.key));
    await insert(ctx, rows);
    const counts = { created: rows.length, known: given.length - rows.length };
    logChange(ctx, 'word', null, { level: more.level, ...counts });
    return counts;
  });
}

export function updateWord(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateWord.input>,
): Promise<Word> {
  return inTransaction(ctx, async (ctx) => {
    await queries.renewWordListVersion(ctx.db);
    const before = await queries.wordRows.get(ctx.db, id);
    const word: Word = {
      ...before,
      ...input,
      key: toPattern(input.word ?? before.word).key,
      enabled: isOn(enabled, before.enabled),
    };
    await queries.wordRows.update(ctx.db, id, word);
    logChange(ctx, `word:${id}`, toLog(before), toLog(word));
    return word;
  });
}

export function removeWord(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await queries.renewWordListVersion(ctx.db);
    const before = await queries.wordRows.get(ctx.db, id);
    await queries.wordRows.remove(ctx.db, id);
    logChange(ctx, `word:${id}`, toLog(before), null);
  });
}

/** Returns the screening result of a text and all matches, for staff. */
export async function testWords(ctx: Ctx, { text, isMarkdown }: z.output<typeof calls.testWords.input>) {
  const matcher = await getMatcher(ctx);
  const skipped = isMarkdown ? await listUnscreenedRanges(callerOf(ctx), text) : [];
  const hits: WordMatch[] = [];
  findWords(matcher, text, skipped, ({ word, level }, start, end) => {
    if (hits.length < MAX_HITS) hits.push({ start, end, word, level });
  });
  const { level, masked } = screen(matcher, text, skipped);
  return { level, masked, hits: hits.sort((a, b) => a.start - b.start || b.end - a.end) };
}
