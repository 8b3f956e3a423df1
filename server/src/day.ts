/** A day begins at midnight in China, where the readers are. */
export const dayOf = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
