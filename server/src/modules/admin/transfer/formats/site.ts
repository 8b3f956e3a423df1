import type { ImportedItem, ImportedSite } from './types.ts';

/** More names than any site has; the limit protects the memory. */
const MAX_NAMES = 10_000;

/** Counts the categories and authors of essays, for the facts about a site. */
export function createSiteCounter() {
  const categories = new Map<string, number>();
  const authors = new Map<string, ImportedSite['authors'][number]>();
  return {
    add(item: ImportedItem): void {
      if (item.kind !== 'essay') return;
      for (const name of item.categories)
        if (categories.has(name) || categories.size < MAX_NAMES)
          categories.set(name, (categories.get(name) ?? 0) + 1);
      const { author } = item;
      if (author === null || (!authors.has(author.account) && authors.size >= MAX_NAMES)) return;
      const known = authors.get(author.account) ?? { ...author, count: 0 };
      authors.set(author.account, { ...known, count: known.count + 1 });
    },
    list: (): Pick<ImportedSite, 'categories' | 'authors'> => ({
      categories: [...categories]
        .map(([name, count]) => ({ name, count }))
        .toSorted((a, b) => b.count - a.count),
      authors: [...authors.values()].toSorted((a, b) => b.count - a.count),
    }),
  };
}
