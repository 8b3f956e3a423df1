import type { TrafficDimension } from '@mozhan/contract/traffic.ts';

/** Values beyond the limit of a day are counted together. */
export const OTHER = '其他';
export const UNKNOWN = '未知';
export const DIRECT = '直接访问';

/** Longer user agents and referrers are cut, so that no request is expensive. */
export const MAX_HEADER_LENGTH = 500;
const MAX_UTM_LENGTH = 100;
/** The part of a query in which UTM parameters are looked for. */
const MAX_QUERY_LENGTH = 1000;
const MAX_PATH_LENGTH = 200;

/** Hosts of result pages; other hosts of the same companies are ordinary sites. */
const engines: [RegExp, string][] = [
  [/^(?:www|m|wap)\.baidu\.com$/, '百度'],
  [/^(?:www\.)?google\.[a-z.]{2,6}$/, 'Google'],
  [/^(?:[a-z]{2,3}\.)?bing\.com$/, '必应'],
  [/^(?:www\.|m\.)?so\.com$/, '360 搜索'],
  [/^(?:www\.|m\.|wap\.)?sogou\.com$/, '搜狗'],
  [/^(?:so\.|m\.|quark\.|yz\.m\.)?sm\.cn$/, '神马'],
  [/^so\.toutiao\.com$/, '头条搜索'],
  [/^(?:www\.)?duckduckgo\.com$/, 'DuckDuckGo'],
  [/^(?:www\.)?yandex\.[a-z.]{2,6}$/, 'Yandex'],
  [/^search\.yahoo\.[a-z.]{2,6}$|\.search\.yahoo\.com$/, 'Yahoo'],
  [/^metaso\.cn$/, '秘塔'],
];

export interface Source {
  /** Without `www.`; empty if there is no referrer or it is not a URL. */
  host: string;
  engine: string | undefined;
}

export const withoutWww = (host: string): string => host.replace(/^www\./, '');

export function parseReferrer(referrer: string): Source {
  const url = URL.parse(referrer);
  const host = url?.hostname.toLowerCase() ?? '';
  return {
    host: withoutWww(host).slice(0, MAX_UTM_LENGTH),
    engine: engines.find(([pattern]) => pattern.test(host))?.[1],
  };
}

export const labelOf = ({ host, engine }: Source): string => engine ?? (host || DIRECT);

const utmDimensions = {
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
} as const;

/** The values of UTM parameters, without control characters and in lower case. */
export function parseUtm(search: string): [TrafficDimension, string][] {
  const read = search.slice(0, MAX_QUERY_LENGTH);
  if (!read.includes('utm_')) return [];
  const query = new URLSearchParams(read);
  return Object.entries(utmDimensions).flatMap(([name, dimension]) => {
    const given = (query.get(name) ?? '').slice(0, MAX_UTM_LENGTH).toWellFormed();
    const value = given
      .replace(/\p{C}+/gu, ' ')
      .trim()
      .toLowerCase();
    return value === '' ? [] : [[dimension, value]];
  });
}

/** The path as readers see it, without escapes. */
export function readablePath(path: string): string {
  let text = path;
  try {
    text = decodeURI(path);
  } catch {
    // Malformed escapes stay as they are.
  }
  return text
    .replace(/\p{C}+/gu, ' ')
    .slice(0, MAX_PATH_LENGTH)
    .toWellFormed();
}

const ESSAY_PATH = /^\/essay\/m?detail\/([^/]+)\.html$/;

/** The id or slug of the essay that a readable path shows. */
export const essayOf = (path: string): string | undefined => ESSAY_PATH.exec(path)?.[1];

/** The request headers that say where a visitor comes from. */
export interface LoadHeaders {
  userAgent: string;
  referrer: string;
  host: string;
  forwardedFor: string;
  fetchDest: string;
  fetchMode: string;
  fetchSite: string;
  purpose: string;
  /** The visitor asks not to be tracked, by `DNT` or `Sec-GPC`. */
  isUntracked: boolean;
}

/** Reads the raw headers, because building Node's header object is slower. */
export function readLoadHeaders(rawHeaders: readonly string[]): LoadHeaders {
  const found: LoadHeaders = {
    userAgent: '',
    referrer: '',
    host: '',
    forwardedFor: '',
    fetchDest: '',
    fetchMode: '',
    fetchSite: '',
    purpose: '',
    isUntracked: false,
  };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const value = rawHeaders[at + 1] ?? '';
    switch (rawHeaders[at]?.toLowerCase()) {
      case 'user-agent':
        found.userAgent = value;
        break;
      case 'referer':
        found.referrer = value;
        break;
      case 'host':
        found.host = value;
        break;
      case 'x-forwarded-for':
        found.forwardedFor += found.forwardedFor === '' ? value : `,${value}`;
        break;
      case 'sec-fetch-dest':
        found.fetchDest = value;
        break;
      case 'sec-fetch-mode':
        found.fetchMode = value;
        break;
      case 'sec-fetch-site':
        found.fetchSite = value;
        break;
      case 'purpose':
      case 'sec-purpose':
        found.purpose = value;
        break;
      case 'dnt':
      case 'sec-gpc':
        found.isUntracked ||= value === '1';
    }
  }
  return found;
}

/** False for prefetched pages, frames, and pages that the service worker fetches to keep them. */
export function isPageLoad({ fetchDest, fetchMode, purpose }: LoadHeaders): boolean {
  if (purpose.startsWith('prefetch') || purpose === 'preview') return false;
  return fetchDest === 'document' || (fetchDest === 'empty' ? fetchMode === 'navigate' : fetchDest === '');
}
