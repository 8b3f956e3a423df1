/** A `deleted` comment stays in the database without its text, because it has replies. */

export const visible = 0 as const;
export const held = 1 as const;
export const removed = 2 as const;
export const deleted = 3 as const;
