import type { SearchOptions } from '@mozhan/contract/essays.ts';

/** How a search is limited and sorted, besides its category; an empty string means no limit. */
export interface SearchChoices {
  sort: SearchOptions['sort'] | '';
  since: SearchOptions['since'] | '';
  price: SearchOptions['price'] | '';
  author: string;
  tag: string;
}

const choose = <const T extends string>(allowed: readonly T[], given: string | null): T | '' =>
  allowed.find((each) => each === given) ?? '';

/** The tag is read with the other parameters of a list. */
export const readSearchChoices = (search: URLSearchParams): Omit<SearchChoices, 'tag'> => ({
  sort: choose(['latest', 'hot'], search.get('sort')),
  since: choose(['week', 'month', 'year'], search.get('since')),
  price: choose(['free', 'paid'], search.get('price')),
  author: /^[0-9a-f]{32}$/.exec(search.get('author') ?? '')?.[0] ?? '',
});

export const toSearchFilter = ({ sort, since, price, author }: Omit<SearchChoices, 'tag'>) => ({
  ...(sort && { sort }),
  ...(since && { since }),
  ...(price && { price }),
  ...(author && { authorId: author }),
});
