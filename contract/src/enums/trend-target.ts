/** Whether a trend is about an essay or about a user's home page. */

export const essay = 0 as const;
export const home = 1 as const;
