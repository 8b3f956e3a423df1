/** Browsers load this file, so it must not import zod. */
export const highlightColors = ['yellow', 'green', 'blue', 'pink'] as const;
export type HighlightColor = (typeof highlightColors)[number];

/** Without whitespace. */
export const MAX_QUOTE_LENGTH = 1000;
