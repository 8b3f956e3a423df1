import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { cacheControl } from './cached-page.ts';
import { acceptedEncoding, etagOf, hasEtag } from './negotiate.ts';
import type { CachedPage, Encoding, PageCache } from './page-cache.ts';

/** Header names and values by turns, as Node sends them without looking at each. */
type RawHeaders = string[];

interface ReadyAnswer {
  etag: string;
  headers: RawHeaders;
  /** For a client that has the page already. */
  unchangedHeaders: RawHeaders;
  body: Buffer;
}

interface ReadyPagesOptions {
  cache: PageCache;
  basePath: string;
  /** On every response. */
  headers: Record<string, string>;
}

/** Undefined as long as it has not been packed as well as it can be. */
function toAnswer(
  page: CachedPage,
  encoding: Encoding | undefined,
  common: Record<string, string>,
): ReadyAnswer | undefined {
  const isPlain = encoding === undefined || page.packed === null;
  const body = isPlain ? page.content : page.packed?.[encoding]?.best;
  if (body === undefined) return undefined;
  const etag = etagOf(page.etag, isPlain ? undefined : encoding);
  const shared = {
    ...common,
    'cache-control': cacheControl(page.status),
    vary: 'accept-encoding',
    ...page.headers,
    etag,
  };
  const full = {
    ...shared,
    ...(isPlain ? {} : { 'content-encoding': encoding }),
    'content-length': String(body.length),
  };
  return {
    etag,
    headers: Object.entries(full).flat(),
    unchangedHeaders: Object.entries(shared).flat(),
    body,
  };
}

/** The two headers that matter here, without the object that Node makes of all of them. */
function readHeaders({ rawHeaders }: IncomingMessage): { acceptEncoding: string; ifNoneMatch: string } {
  let acceptEncoding = '';
  let ifNoneMatch = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const value = rawHeaders[at + 1] ?? '';
    // Most names are of another length.
    if (name.length === 15 && name.toLowerCase() === 'accept-encoding')
      acceptEncoding += acceptEncoding === '' ? value : `,${value}`;
    else if (name.length === 13 && name.toLowerCase() === 'if-none-match')
      ifNoneMatch += ifNoneMatch === '' ? value : `,${value}`;
  }
  return { acceptEncoding, ifNoneMatch };
}

/**
 * Answers for pages, feeds and pictures of links that are kept ready, before the framework sees the request: that costs
 * three times as much as sending the bytes. Everything else, and what has to be rendered or packed first, goes on to `next`.
 */
export function readyPages({ cache, basePath, headers: common }: ReadyPagesOptions) {
  /** Of pages that the cache has dropped they go with the page. */
  const answers = new WeakMap<CachedPage, Map<Encoding | undefined, ReadyAnswer>>();

  function answerOf(page: CachedPage, encoding: Encoding | undefined): ReadyAnswer | undefined {
    const known = answers.get(page)?.get(encoding);
    if (known !== undefined) return known;
    const made = toAnswer(page, encoding, common);
    if (made === undefined) return undefined;
    const ofPage = answers.get(page) ?? new Map();
    answers.set(page, ofPage.set(encoding, made));
    return made;
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET') return false;
    const url = request.url ?? '';
    if (!url.startsWith('/') || !url.startsWith(basePath)) return false;
    const page = cache.fresh(url.slice(basePath.length));
    if (page === undefined) return false;
    const { acceptEncoding, ifNoneMatch } = readHeaders(request);
    const ready = answerOf(page, page.packed === null ? undefined : acceptedEncoding(acceptEncoding));
    if (ready === undefined) return false;
    cache.countHit();
    if (ifNoneMatch !== '' && hasEtag(ifNoneMatch, ready.etag))
      response.writeHead(304, ready.unchangedHeaders).end();
    else response.writeHead(200, ready.headers).end(ready.body);
    return true;
  }

  return (next: RequestListener): RequestListener =>
    (request, response) => {
      if (!answer(request, response)) next(request, response);
    };
}
