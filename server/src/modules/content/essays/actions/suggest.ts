import { FLAG } from '@mozhan/contract/enums.ts';
import type { suggestKeywords as call } from '@mozhan/contract/search-suggestions.ts';
import type { z } from 'zod';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import {
  createExcerpt,
  findNames,
  findTitles,
  normalizeSearchText,
  searchEssays,
  suggestSearchTerms,
  toSearchCtx,
} from '../../../platform/search/index.ts';
import { listColumnsByIds } from '../queries/columns.ts';
import { type CardRow, listCardsByIds, listHot } from '../queries/lists.ts';
import { listTagsByIds } from '../queries/shelf.ts';
import { listUsersByIds } from '../queries/users.ts';
import { getShelfCount } from './recommend.ts';

type Suggestions = z.output<typeof call.output>;

const MAX_ESSAYS = 5;
/** Titles that begin with the typed text come first, but leave room for other essays. */
const MAX_TITLES = 3;

const toSuggestedEssay = ({ essay, author }: CardRow, terms: string[]): Suggestions['essays'][number] => ({
  id: essay.id,
  slug: essay.slug,
  title: createExcerpt(essay.title, terms, essay.title.length),
  author: author.displayName,
});

/** `name` begins with the typed text or its pinyin; it is more likely meant than a word that begins so. */
async function suggestEssays(
  ctx: Ctx,
  keyword: string,
  name: string | undefined,
): Promise<Pick<Suggestions, 'essays' | 'popular'>> {
  const searchCtx = toSearchCtx(ctx);
  const { titled, completed } = await findTitles(searchCtx, keyword, MAX_TITLES);
  const find = (text: string) => searchEssays(searchCtx, { keyword: text, offset: 0, limit: MAX_ESSAYS });
  const isUnfinished = completed !== normalizeSearchText(keyword).trim();
  const first = await find(isUnfinished && name !== undefined ? name : completed);
  const { ids, terms } = first.ids.length === 0 && name !== undefined ? await find(name) : first;
  const listed = [...new Set([...titled, ...ids])].slice(0, MAX_ESSAYS);
  const found = await listCardsByIds(ctx.db, listed);
  if (found.length > 0) return { essays: found.map((row) => toSuggestedEssay(row, terms)) };
  const hot = await listHot(ctx.db, {
    page: 1,
    pageSize: MAX_TITLES,
    categoryId: null,
    pinned: [],
    total: () => getShelfCount(ctx),
  });
  return { essays: hot.list.map((row) => toSuggestedEssay(row, [])), popular: true };
}

export async function suggestKeywords(ctx: Ctx, query: z.output<typeof call.input>): Promise<Suggestions> {
  const keyword = query.keyword.trim();
  if (keyword === '') return { words: [], tags: [], authors: [], columns: [], essays: [] };
  const [words, tagIds, authorIds, columnIds] = await Promise.all([
    suggestSearchTerms(ctx, keyword, 6),
    findNames(ctx, 'tag', keyword, 5),
    findNames(ctx, 'user', keyword, 4),
    findNames(ctx, 'column', keyword, 3),
  ]);
  const [tags, authors, columns] = await Promise.all([
    listTagsByIds(ctx.db, tagIds),
    listUsersByIds(ctx.db, authorIds),
    listColumnsByIds(ctx.db, columnIds),
  ]);
  const name = authors[0]?.displayName ?? columns[0]?.column.name ?? tags[0]?.name;
  const essays = query.essays === FLAG.off ? { essays: [] } : await suggestEssays(ctx, keyword, name);
  return {
    words,
    tags: tags.map(({ name }) => name),
    authors: authors.map((user) => ({
      ...toUserCard(user, ctx.now),
      essayCount: user.essayCount,
      followerCount: user.followerCount,
    })),
    columns: columns.map(({ column: { id, name, essayCount }, author }) => ({
      id,
      name,
      essayCount,
      author: { id: author.id, displayName: author.displayName },
    })),
    ...essays,
  };
}
