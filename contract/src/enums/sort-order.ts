export const ascending = 0 as const;
export const descending = 1 as const;
