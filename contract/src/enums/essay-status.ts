export const draft = 0 as const;
export const waiting = 1 as const;
export const approved = 2 as const;
export const onShelf = 3 as const;
export const offShelf = 4 as const;
export const rejected = 5 as const;
