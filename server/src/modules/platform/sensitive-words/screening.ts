import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import type { Ctx, Services } from '../../../ctx.ts';
import { createLookup } from '../../../db/lookup.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { createMatcher, type Matcher, type ScreeningResult, screen, type WordEntry } from './matcher.ts';
import type { Range } from './normalize.ts';
import * as queries from './queries.ts';
import { screenInThread } from './screening-thread.ts';
import { listUnscreenedRanges } from './unscreened-ranges.ts';

interface WordList {
  version: string;
  matcher: Matcher;
  entries: readonly WordEntry[];
}

const lists = new WeakMap<Services, WordList>();

const findVersion = createLookup(queries.createVersionQuery);

/** Returns the cached list if its version is current, or loads it. */
async function getWordList(ctx: Ctx): Promise<WordList> {
  const version = await findVersion(ctx, 'words');
  if (version === null) throw new Error('the version of the word list is missing');
  const cached = lists.get(ctx.services);
  if (cached?.version === version) return cached;
  // The version is read before the words: they may be newer than the version, but never older.
  const entries = (await queries.listEnabledWords(ctx.db)).map(({ word, level }) => ({ word, level }));
  const list = { version, matcher: createMatcher(entries), entries };
  lists.set(ctx.services, list);
  return list;
}

export const getMatcher = async (ctx: Ctx): Promise<Matcher> => (await getWordList(ctx)).matcher;

/** Longer texts are screened in a worker thread. */
const MAX_INLINE_LENGTH = 10_000;

/** Screens plain text and comments; `unscreened` ranges are skipped. */
export async function screenText(
  ctx: Ctx,
  text: string,
  unscreened: Range[] = [],
  maskedLevels: readonly WordLevel[] = ['mask'],
): Promise<ScreeningResult> {
  const { version, matcher, entries } = await getWordList(ctx);
  if (text.length <= MAX_INLINE_LENGTH || entries.length === 0)
    return screen(matcher, text, unscreened, maskedLevels);
  return screenInThread(callerOf(ctx), { text, skipped: unscreened, maskedLevels, version }, entries);
}

/** Like `screenText`, without code; parses the Markdown only if something was found. */
export async function screenMarkdown(ctx: Ctx, markdown: string): Promise<ScreeningResult> {
  const result = await screenText(ctx, markdown);
  return result.level === null
    ? result
    : screenText(ctx, markdown, await listUnscreenedRanges(callerOf(ctx), markdown));
}
