import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import type { Ctx, Services } from '../../../ctx.ts';
import { createLookup } from '../../../db/lookup.ts';
import { callerOf } from '../../../threads/fair-queue.ts';
import { listUnscreened } from './code.ts';
import type { Range } from './fold.ts';
import { createMatcher, type Entry, type Matcher, type Screened, screen } from './matcher.ts';
import * as queries from './queries.ts';
import { screenInThread } from './thread.ts';

interface WordList {
  version: string;
  matcher: Matcher;
  entries: readonly Entry[];
}

const lists = new WeakMap<Services, WordList>();

const findVersion = createLookup(queries.createVersionQuery);

/** The list as it is now: a look at its version tells whether the last one is still good. */
async function getList(ctx: Ctx): Promise<WordList> {
  const version = await findVersion(ctx, 'words');
  if (version === null) throw new Error('no version of the words');
  const kept = lists.get(ctx.services);
  if (kept?.version === version) return kept;
  // Words newer than the version are looked at again with the next one, never words that are older.
  const entries = (await queries.listEnabled(ctx.db)).map(({ word, level }) => ({ word, level }));
  const list = { version, matcher: createMatcher(entries), entries };
  lists.set(ctx.services, list);
  return list;
}

export const getMatcher = async (ctx: Ctx): Promise<Matcher> => (await getList(ctx)).matcher;

/** Longer texts are screened in a thread: no request waits behind them. */
const MAX_INLINE = 10_000;

/** Names, titles, tags, comments; parts of it that are nobody's business are passed over. */
export async function screenText(
  ctx: Ctx,
  text: string,
  unscreened: Range[] = [],
  covers: readonly WordLevel[] = ['mask'],
): Promise<Screened> {
  const { version, matcher, entries } = await getList(ctx);
  if (text.length <= MAX_INLINE || entries.length === 0) return screen(matcher, text, unscreened, covers);
  return screenInThread(callerOf(ctx), { text, skipped: unscreened, covers, version }, entries);
}

/** The same, leaving out code, which is looked for only where it can change the result. */
export async function screenMarkdown(ctx: Ctx, markdown: string): Promise<Screened> {
  const whole = await screenText(ctx, markdown);
  return whole.level === null
    ? whole
    : screenText(ctx, markdown, await listUnscreened(callerOf(ctx), markdown));
}
