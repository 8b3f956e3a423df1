const MB = 1024 * 1024;

/** Rounds to KB or MB; the minimum is 1 KB. */
export const formatBytes = (bytes: number): string =>
  bytes < MB
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / MB).toFixed(1).replace('.0', '')} MB`;

const GB = 1024 * MB;
const formatLarge = (bytes: number): string =>
  bytes < GB ? formatBytes(bytes) : `${(bytes / GB).toFixed(1).replace('.0', '')} GB`;

/** 已用 12.3 MB，共 500 MB; null: no limit. */
export const formatSpace = ({ bytes, quotaBytes }: { bytes: number; quotaBytes: number | null }): string =>
  `已用 ${bytes === 0 ? '0 KB' : formatLarge(bytes)}，${quotaBytes === null ? '不限' : `共 ${formatLarge(quotaBytes)}`}`;
