/** Browsers load this file, so it must not import zod. */
export const highlightColors = ['yellow', 'green', 'blue', 'pink'] as const;
export type HighlightColor = (typeof highlightColors)[number];

/** Without whitespace. */
export const MAX_QUOTE_LENGTH = 1000;
/** More does not fit on a poster. */
export const MAX_POSTER_QUOTE_LENGTH = 200;
