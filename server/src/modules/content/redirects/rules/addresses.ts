import { MAX_ADDRESS_LENGTH } from '@mozhan/contract/redirects.ts';
import { trimEnd } from '@mozhan/contract/text-scan.ts';

/** An address of this site: the decoded path without the base path, and its parameters. */
export interface Address {
  path: string;
  query: string;
}

/** Where this site is, by which its own absolute addresses are recognized. */
export interface SiteLocation {
  basePath: string;
  /** Includes the base path; null if it is not configured. */
  siteUrl: string | null;
}

/** Parameters that others add to links, and that never decide what is shown. */
const TRACKING = /^(utm_.*|fbclid|gclid|msclkid|spm|isappinstalled)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL rejects a null character, and no address has others
const CONTROL = /[\0-\x1f\x7f]/;

function decodePath(pathname: string): string {
  const upper = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (sequence) => sequence.toUpperCase());
  try {
    return upper(decodeURIComponent(pathname));
  } catch {
    // Not UTF-8, as in addresses of old Chinese sites: compared as it is written.
    return upper(pathname);
  }
}

function normalizeQuery(search: string): string {
  if (search === '' || search === '?') return '';
  const params = new URLSearchParams(search);
  for (const name of [...params.keys()]) if (TRACKING.test(name)) params.delete(name);
  params.sort();
  return params.toString();
}

/** Old addresses of essays are stored and compared in the form with the site's frame. */
const MOBILE = /^\/essay\/mdetail\/(?=[^/]+\.html$)/;
export const isMobileEssay = (pathname: string): boolean => MOBILE.test(pathname);

/** Null if the path cannot be one of an old address. */
export function normalizeAddress(pathname: string, search: string): Address | null {
  const trimmed = trimEnd(decodePath(pathname), '/').normalize('NFC') || '/';
  const path = trimmed.replace(MOBILE, '/essay/detail/');
  if (path.length > MAX_ADDRESS_LENGTH || CONTROL.test(path) || !path.isWellFormed()) return null;
  const query = normalizeQuery(search);
  return { path, query: query.length > MAX_ADDRESS_LENGTH ? '' : query };
}

const INDEX = '/index.html';
export const indexOf = (path: string): string => path + INDEX;

/** Servers of static files answer `/post/index.html` as `/post/`; null for other addresses. */
export const folderOf = ({ path, query }: Address): Address | null =>
  path.endsWith(INDEX) && path !== INDEX ? { path: path.slice(0, -INDEX.length), query } : null;

/** Characters that are part of the path only if they are escaped. */
const SPECIAL = /[?#\\]|(?<=^\/)\/|\s$/g;

function formatPath(path: string): string {
  const readable = path.replace(SPECIAL, encodeURIComponent);
  return decodePath(readable) === path
    ? readable
    : path.replaceAll('%', '%25').replace(SPECIAL, encodeURIComponent);
}

/** As staff read it, and as the form accepts it again. */
export const formatAddress = ({ path, query }: Address): string => formatPath(path) + (query && `?${query}`);

const withoutBase = (pathname: string, basePath: string): string =>
  pathname === basePath || pathname.startsWith(`${basePath}/`)
    ? pathname.slice(basePath.length) || '/'
    : pathname;

function parseUrl(text: string): URL | null {
  const isPath = !/^[a-z][a-z0-9+.-]*:/i.test(text);
  // A path such as `//host` would name another host.
  const url = isPath ? `http://app/${text.replace(/^\/+/, '')}` : text;
  return URL.canParse(url) ? new URL(url) : null;
}

/** Reads an old address as staff write it: a path, with or without the base path, or a full address, whose host is dropped. */
export function parseAddress(text: string, { basePath }: SiteLocation): Address | null {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const address = normalizeAddress(withoutBase(url.pathname, basePath), url.search);
  return address !== null && normalizeQuery(url.search).length > MAX_ADDRESS_LENGTH ? null : address;
}

export interface Target {
  /** A path of this site with parameters and fragment, without the base path, or an absolute address. */
  target: string;
  /** Where a request for the target arrives; null if that is another site. */
  address: Address | null;
}

/** Null if the text is neither a path of this site nor an http(s) address. */
export function parseTarget(text: string, { basePath, siteUrl }: SiteLocation): Target | null {
  if (text.includes('\\') || text.startsWith('//')) return null;
  const url = parseUrl(text);
  if (url === null || (!text.startsWith('/') && !/^https?:\/\//i.test(text))) return null;
  if (url.username !== '' || url.password !== '') return null;
  const isHere = text.startsWith('/') || isBelow(url, siteUrl);
  if (!isHere) return { target: url.href, address: null };
  const pathname = withoutBase(url.pathname, basePath);
  const address = normalizeAddress(pathname, url.search);
  // A browser would take `//host` for another host.
  if (address === null || pathname.startsWith('//')) return null;
  return { target: pathname + url.search + url.hash, address };
}

/** Whatever the scheme, because a proxy leads from one to the other. */
function isBelow({ host, pathname }: URL, siteUrl: string | null): boolean {
  if (siteUrl === null) return false;
  const site = new URL(siteUrl);
  const base = trimEnd(site.pathname, '/');
  return host === site.host && (pathname === base || pathname.startsWith(`${base}/`));
}

/** The id or slug in the address of an essay's page. */
export function essayAddressOf({ path, query }: Address): string | null {
  if (query !== '') return null;
  return /^\/essay\/m?detail\/([^/]+)\.html$/.exec(path)?.[1] ?? null;
}

/** Adds the parameters of the request, unless the redirect decides about them. */
export function locationOf(
  { target, query }: { target: string; query: string },
  { basePath, search }: { basePath: string; search: string },
): string {
  if (!target.startsWith('/')) return target;
  const [beforeHash = '', hash] = splitOnce(target, '#');
  const carried = query === '' && !beforeHash.includes('?') ? search : '';
  return basePath + beforeHash + carried + (hash === undefined ? '' : `#${hash}`);
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Addresses of programs whose parameters decide what is shown. */
const PROGRAM = /\.(php|aspx?|jsp|cgi|do)$/i;

/** The address under which a request that was not found is listed; null if it is too long. */
export function missingAddressOf(pathname: string, search: string): string | null {
  const address = normalizeAddress(pathname, search);
  if (address === null) return null;
  const withQuery = PROGRAM.test(address.path) ? formatAddress(address) : '';
  const isListed = withQuery !== '' && withQuery.length <= MAX_ADDRESS_LENGTH;
  return isListed ? withQuery : formatAddress({ ...address, query: '' });
}
