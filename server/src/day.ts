/** The calendar date in China (UTC+8). */
export const chinaDayOf = (time: Date): string =>
  new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);

let timeFormat: Intl.DateTimeFormat | undefined;

/**
 * Day and time in China, for texts: 11月18日 14:05. The format is created when it is needed, because the first one of a
 * process loads the time zones, which takes 25 ms.
 */
export function formatChinaTime(time: Date): string {
  timeFormat ??= new Intl.DateTimeFormat('zh-CN', {
    timeZone: 'Asia/Shanghai',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return timeFormat.format(time);
}
