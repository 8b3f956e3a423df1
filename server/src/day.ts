/** The calendar date in China (UTC+8). */
export const chinaDayOf = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
