/** What a trend is about: an essay, or somebody's page. */

export const essay = 0 as const;
export const home = 1 as const;
