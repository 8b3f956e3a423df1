/** A boolean sent as a number, such as `enabled`. */

export const off = 0 as const;
export const on = 1 as const;
