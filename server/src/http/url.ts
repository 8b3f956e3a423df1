import { before } from '@mozhan/contract/scan.ts';

/** Whether its path has a percent sign that escapes nothing, or bytes that are no text. */
export function isUnreadable(url: string): boolean {
  if (!url.includes('%')) return false;
  try {
    decodeURIComponent(before(url, '?'));
    return false;
  } catch {
    return true;
  }
}

/** The path of a page that cannot be read, as one that can, so that a page answers; calls are answered as calls. */
export function readableUrl(url: string, basePath: string): string {
  if (url.startsWith(`${basePath}/api/`) || !isUnreadable(url)) return url;
  const path = before(url, '?');
  return path.replaceAll('%', '%25') + url.slice(path.length);
}
