/** `deleted` stays in the database: only the place of the comment is left, for the sake of its replies. */

export const shown = 0 as const;
export const held = 1 as const;
export const removed = 2 as const;
export const deleted = 3 as const;
