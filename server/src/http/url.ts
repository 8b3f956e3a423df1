import { textBefore } from '@mozhan/contract/text-scan.ts';

export function isMalformedUrl(url: string): boolean {
  if (!url.includes('%')) return false;
  try {
    decodeURIComponent(textBefore(url, '?'));
    return false;
  } catch {
    return true;
  }
}

/** Escapes a malformed page URL, so that the page routes can respond; API URLs are left to the API. */
export function escapeMalformedUrl(url: string, basePath: string): string {
  if (url.startsWith(`${basePath}/api/`) || !isMalformedUrl(url)) return url;
  const path = textBefore(url, '?');
  return path.replaceAll('%', '%25') + url.slice(path.length);
}
