const OFFSET_MS = 8 * 3_600_000;

/** Formats as local time in China, `2026-11-15 08:30:00`. */
export const toChinaTime = (time: Date): string =>
  new Date(time.getTime() + OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');

export function fromChinaTime(text: string): Date {
  const time = new Date(`${text.replace(' ', 'T')}+08:00`);
  if (Number.isNaN(time.getTime())) throw new Error('not a time');
  return time;
}
