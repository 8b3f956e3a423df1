import { isOn } from '@mozhan/contract/enums.ts';
import { invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/sensitive-words.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { listUnscreened } from './code.ts';
import { spell } from './fold.ts';
import { type Hit, screen, search } from './matcher.ts';
import * as queries from './queries.ts';
import { getMatcher } from './screening.ts';
import type { Word } from './tables.ts';

/** What is built from them stays small, and screening a long text quick. */
const MOST_WORDS = 20_000;
const MOST_HITS = 500;

type NewWord = Pick<z.output<typeof calls.createWords.input>, 'level' | 'note' | 'enabled'>;

function toRow(ctx: Ctx, word: string, { level, note = '', enabled }: NewWord): Word {
  const { key } = spell(word);
  return { id: newId(), word, key, level, note, enabled: isOn(enabled, true), createdAt: ctx.now };
}

const toLog = ({ word, level, note, enabled }: Word) => ({ word, level, note, enabled });

/** Under the lock that `renewVersion` takes. */
async function insert(ctx: Ctx, rows: Word[]): Promise<void> {
  if ((await queries.wordRows.count(ctx.db)) + rows.length > MOST_WORDS)
    throw invalid('words', `敏感词最多 ${MOST_WORDS} 个`);
  await queries.wordRows.insert(ctx.db, ...rows);
}

export function createWord(ctx: Ctx, word: string, more: NewWord): Promise<Word> {
  return inTx(ctx, async (ctx) => {
    await queries.renewVersion(ctx.db);
    const row = toRow(ctx, word, more);
    await insert(ctx, [row]);
    changed(ctx, `word:${row.id}`, null, toLog(row));
    return row;
  });
}

/** Those that are there already, or twice among the given, are passed over. */
export function createWords(
  ctx: Ctx,
  given: string[],
  more: NewWord,
): Promise<{ created: number; known: number }> {
  return inTx(ctx, async (ctx) => {
    await queries.renewVersion(ctx.db);
    const byKey = new Map<string, Word>();
    for (const row of given.map((word) => toRow(ctx, word, more)))
      if (!byKey.has(row.key)) byKey.set(row.key, row);
    const known = await queries.listKnownKeys(ctx.db, [...byKey.keys()]);
    const rows = [...byKey.values()].filter((row) => !known.has(row.key));
    await insert(ctx, rows);
    const counts = { created: rows.length, known: given.length - rows.length };
    changed(ctx, 'word', null, { level: more.level, ...counts });
    return counts;
  });
}

export function updateWord(
  ctx: Ctx,
  { id, enabled, ...input }: z.output<typeof calls.updateWord.input>,
): Promise<Word> {
  return inTx(ctx, async (ctx) => {
    await queries.renewVersion(ctx.db);
    const before = await queries.wordRows.get(ctx.db, id);
    const word: Word = {
      ...before,
      ...input,
      key: spell(input.word ?? before.word).key,
      enabled: isOn(enabled, before.enabled),
    };
    await queries.wordRows.update(ctx.db, id, word);
    changed(ctx, `word:${id}`, toLog(before), toLog(word));
    return word;
  });
}

export function removeWord(ctx: Ctx, id: string): Promise<void> {
  return inTx(ctx, async (ctx) => {
    await queries.renewVersion(ctx.db);
    const before = await queries.wordRows.get(ctx.db, id);
    await queries.wordRows.remove(ctx.db, id);
    changed(ctx, `word:${id}`, toLog(before), null);
  });
}

/** What would become of a text, and why. */
export async function testWords(ctx: Ctx, { text, isMarkdown }: z.output<typeof calls.testWords.input>) {
  const matcher = await getMatcher(ctx);
  const skipped = isMarkdown ? await listUnscreened(callerOf(ctx), text) : [];
  const hits: Hit[] = [];
  search(matcher, text, skipped, ({ word, level }, start, end) => {
    if (hits.length < MOST_HITS) hits.push({ start, end, word, level });
  });
  const { level, masked } = screen(matcher, text, skipped);
  return { level, masked, hits: hits.sort((a, b) => a.start - b.start || b.end - a.end) };
}
