import type { WordLevel } from '#contract/words.ts';
import type { Ctx, Services } from '../../ctx.ts';
import { callerOf } from '../../fair-queue.ts';
import { createLookup } from '../../lookup.ts';
import { listUnscreened } from './code.ts';
import type { Range } from './fold.ts';
import { createMatcher, type Matcher, type Screened, screen } from './matcher.ts';
import * as queries from './queries.ts';

const matchers = new WeakMap<Services, { version: string; matcher: Matcher }>();

const findVersion = createLookup(queries.createVersionQuery);

/** Of the list as it is now: a look at its version tells whether the last one is still good. */
export async function getMatcher(ctx: Ctx): Promise<Matcher> {
  const version = await findVersion(ctx, 'words');
  if (version === null) throw new Error('no version of the words');
  const kept = matchers.get(ctx.services);
  if (kept?.version === version) return kept.matcher;
  // Words newer than the version are looked at again with the next one, never words that are older.
  const matcher = createMatcher(await queries.listEnabled(ctx.db));
  matchers.set(ctx.services, { version, matcher });
  return matcher;
}

/** Names, titles, tags, comments; parts of it that are nobody's business are passed over. */
export const screenText = async (
  ctx: Ctx,
  text: string,
  unscreened?: Range[],
  covers?: readonly WordLevel[],
): Promise<Screened> => screen(await getMatcher(ctx), text, unscreened, covers);

/** The same, leaving out code, which is looked for only where it can change the result. */
export async function screenMarkdown(ctx: Ctx, markdown: string): Promise<Screened> {
  const matcher = await getMatcher(ctx);
  const whole = screen(matcher, markdown);
  return whole.level === null
    ? whole
    : screen(matcher, markdown, await listUnscreened(callerOf(ctx), markdown));
}
