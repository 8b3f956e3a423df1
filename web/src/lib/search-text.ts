/** What a search parameter says, as long as calls take it; no half of a character stays at the cut. */
export const searchText = (search: URLSearchParams, name: string, most: number): string =>
  (search.get(name) ?? '')
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, '');
