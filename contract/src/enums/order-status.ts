export const waiting = 0 as const;
export const paid = 1 as const;
export const cancelled = 2 as const;
export const refunded = 3 as const;
