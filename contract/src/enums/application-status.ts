export const waiting = 0 as const;
export const approved = 1 as const;
export const refused = 2 as const;
