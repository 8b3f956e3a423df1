import type { SQL } from 'drizzle-orm';
import type { Ctx } from '../../../../ctx.ts';
import { normalizeSearchText, parseKeyword } from '../../../platform/search/index.ts';
import { matchesEssay, matchesOwnEssay } from '../queries/own-search.ts';

/** For searches in a user's own lists: the title, author, tags and text, as in the search of the site. */
export const matchKeyword = async (ctx: Ctx, keyword: string): Promise<SQL | undefined> =>
  matchesEssay(normalizeSearchText(keyword).trim(), await parseKeyword(ctx, keyword));

/** For the search of authors in their own essays. */
export const matchOwnKeyword = async (ctx: Ctx, keyword: string): Promise<SQL | undefined> =>
  matchesOwnEssay(keyword.trim(), await parseKeyword(ctx, keyword));
