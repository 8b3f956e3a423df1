import { decodePath, isExternalUrl, isWebUrl } from './paths.ts';

/** Names of hosts in configurations that were never changed. */
const PLACEHOLDER_HOST =
  /^(?:(?:www\.|your[a-z]*\.)?(?:example|yoursite|your-site|yourdomain|yourwebsite|mysite)\.(?:com|org|net)|localhost|127\.0\.0\.1)$/;

/** `https://example.com/blog` without a slash at the end; empty for an address that cannot be that of a site. */
export function toBaseUrl(address: string): string {
  try {
    const { protocol, host, hostname, pathname } = new URL(address.trim().replace(/^\/\//, 'https://'));
    if (!/^https?:$/.test(protocol) || PLACEHOLDER_HOST.test(hostname)) return '';
    return `${protocol}//${host}${pathname.replace(/\/$/, '')}`;
  } catch {
    return '';
  }
}

export const hostOf = (address: string): string => {
  try {
    return new URL(address.replace(/^\/\//, 'https://')).hostname;
  } catch {
    return '';
  }
};

const MAX_URL_LENGTH = 2000;
/** The queries that choose an item on a site without permalinks. */
const ITEM_QUERY = /^\?(?:p|page_id|attachment_id|post|cid)=[\w-]+$/;

/** Path and query as in a request; null for an address that cannot be one of a single item. */
export function toOldUrl(address: string): string | null {
  if (address.length > MAX_URL_LENGTH || (isExternalUrl(address) && !isWebUrl(address))) return null;
  try {
    const { pathname, search } = new URL(address, 'http://site.invalid/');
    const path = pathname.replace(/\/{2,}/g, '/');
    if (path === '/' && !ITEM_QUERY.test(search)) return null;
    return ITEM_QUERY.test(search) ? path + search : path;
  } catch {
    return null;
  }
}

export const toOldUrls = (addresses: readonly string[]): string[] => [
  ...new Set(addresses.flatMap((address) => (address === '' ? [] : (toOldUrl(address) ?? [])))),
];

/** Equal for spellings of a path that lead to the same page. */
function normalize(path: string): string {
  const query = path.slice(path.indexOf('?')).replace(/#.*/s, '');
  const plain = decodePath(path).replace(/\/index\.html?$/, '/');
  const end = plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
  return path.includes('?') && ITEM_QUERY.test(query) ? `${end}${query}` : end;
}

export interface LinkIndex {
  /** `https://example.com/blog`; empty if unknown. */
  baseUrl: string;
  add(oldUrls: readonly string[], key: string): void;
  /** Finds the item that an address leads to; a relative one starts at `from`, a path of the old site. */
  find(address: string, from: string): string | null;
  isOwnHost(address: string): boolean;
  /** The path of a full address on the old site, below the folder of the site. */
  toPath(address: string): string;
  /** The full address of a file that the archive does not contain; null if the site's address is unknown. */
  toRemote(address: string, from: string): string | null;
}

/** The old addresses of all items, to recognize links between them. */
export function createLinkIndex(siteUrl: string, otherHosts: readonly string[] = []): LinkIndex {
  const baseUrl = toBaseUrl(siteUrl);
  const keys = new Map<string, string>();
  const withoutWww = (host: string): string => host.replace(/^www\./, '');
  const hosts = new Set([hostOf(baseUrl), ...otherHosts].filter((host) => host !== '').map(withoutWww));
  const root = baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/$/, '');
  const isOwnHost = (address: string): boolean => isWebUrl(address) && hosts.has(withoutWww(hostOf(address)));
  return {
    baseUrl,
    isOwnHost,
    toPath(address) {
      const { pathname } = new URL(address.replace(/^\/\//, 'https://'));
      return pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname;
    },
    add: (oldUrls, key) => {
      for (const url of oldUrls) if (!keys.has(normalize(url))) keys.set(normalize(url), key);
    },
    find(address, from) {
      if (address === '' || address.startsWith('#') || address.length > MAX_URL_LENGTH) return null;
      if (isExternalUrl(address) && !isOwnHost(address)) return null;
      try {
        const { pathname, search } = new URL(address, `http://site.invalid${from || '/'}`);
        const path = normalize(pathname + search);
        return keys.get(path) ?? keys.get(`${root}${path}`) ?? null;
      } catch {
        return null;
      }
    },
    toRemote(address, from) {
      if (isWebUrl(address)) return address;
      if (baseUrl === '' || address === '' || isExternalUrl(address)) return null;
      try {
        return new URL(address, new URL(from || `${root}/`, baseUrl)).href;
      } catch {
        return null;
      }
    },
  };
}
