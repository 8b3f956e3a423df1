const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The two largest units: 2 天 3 小时, 9 分 30 秒; the last one is rounded up, so that it never shows zero. */
export function formatTimeLeft(ms: number): string {
  if (ms >= DAY) {
    const hours = Math.ceil(ms / HOUR);
    return hours % 24 === 0 ? `${hours / 24} 天` : `${Math.floor(hours / 24)} 天 ${hours % 24} 小时`;
  }
  if (ms > HOUR) {
    const minutes = Math.ceil(ms / MINUTE);
    return minutes % 60 === 0
      ? `${minutes / 60} 小时`
      : `${Math.floor(minutes / 60)} 小时 ${minutes % 60} 分钟`;
  }
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} 秒`;
  return seconds % 60 === 0 ? `${seconds / 60} 分钟` : `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`;
}
