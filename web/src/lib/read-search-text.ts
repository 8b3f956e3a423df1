/** Reads a search parameter, truncated to the length that API calls accept without splitting a surrogate pair. */
export const readSearchText = (search: URLSearchParams, name: string, maxLength: number): string =>
  (search.get(name) ?? '')
    .trim()
    .slice(0, maxLength)
    .replace(/[\ud800-\udbff]$/, '');
