const MB = 1024 * 1024;

/** Rounds to KB or MB; the minimum is 1 KB. */
export const formatBytes = (bytes: number): string =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MB).toFixed(1)} MB`;
