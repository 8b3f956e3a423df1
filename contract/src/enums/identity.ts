export const reader = 1 as const;
export const writer = 2 as const;
