export const waiting = 0 as const;
export const upheld = 1 as const;
export const dismissed = 2 as const;
