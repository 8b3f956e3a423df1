import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newId } from '../db/id.ts';
import { cacheControl, HTML_TYPE } from './cached-page.ts';
import { acceptedEncoding, etagWithEncoding, matchesEtag } from './negotiate.ts';
import { type CachedPage, callKey, type Encoding, type PageCache } from './page-cache.ts';

/** Alternating header names and values, which Node sends without validation. */
type RawHeaders = readonly string[];

interface CachedResponse {
  etag: string | null;
  headers: RawHeaders;
  unchangedHeaders: RawHeaders;
  body: Buffer;
}

interface CachedResponsesOptions {
  cache: PageCache;
  basePath: string;
  headers: Record<string, string>;
  /** While true, every request is passed to the framework. */
  isOff: () => boolean;
  isCallAllowed: (request: IncomingMessage) => boolean;
  /** Called for every page that is sent. */
  onPage: (request: IncomingMessage) => void;
}

/** Undefined until the content has been compressed with the best quality. */
function toCachedResponse(
  page: CachedPage,
  encoding: Encoding | undefined,
  common: Record<string, string>,
): CachedResponse | undefined {
  const isPlain = encoding === undefined || page.compressed === null;
  const body = isPlain ? page.content : page.compressed?.[encoding]?.best;
  if (body === undefined) return undefined;
  const etag = page.etag === null ? null : etagWithEncoding(page.etag, isPlain ? undefined : encoding);
  const shared = {
    ...common,
    'cache-control': cacheControl(page.status),
    vary: 'accept-encoding',
    ...page.headers,
    ...(etag === null ? {} : { etag }),
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

/** Reads the raw headers, because building Node's header object is slower. */
function readHeaders({ rawHeaders }: IncomingMessage) {
  let acceptEncoding = '';
  let ifNoneMatch = '';
  let isVisitor = true;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    if (name === 'accept-encoding') acceptEncoding += acceptEncoding === '' ? value : `,${value}`;
    else if (name === 'if-none-match') ifNoneMatch += ifNoneMatch === '' ? value : `,${value}`;
    else if (name === 'token' || name === 'authorization') isVisitor = false;
  }
  return { acceptEncoding, ifNoneMatch, isVisitor };
}

/**
 * Sends cached responses (pages, feeds, link previews, calls of visitors) before the framework handles the request, because
 * the framework takes three times as long as sending the bytes. Everything else, and content that must be rendered or
 * compressed first, is passed to `next`.
 */
export function serveCachedResponses({
  cache,
  basePath,
  headers: common,
  isOff,
  isCallAllowed,
  onPage,
}: CachedResponsesOptions) {
  const calls = `${basePath}/api/`;
  /** Weak, so that responses are freed when the cache evicts their page. */
  const responses = new WeakMap<CachedPage, Map<Encoding | undefined, CachedResponse>>();

  function findResponse(page: CachedPage, encoding: Encoding | undefined): CachedResponse | undefined {
    const known = responses.get(page)?.get(encoding);
    if (known !== undefined) return known;
    const created = toCachedResponse(page, encoding, common);
    if (created === undefined) return undefined;
    const pageResponses = responses.get(page) ?? new Map();
    responses.set(page, pageResponses.set(encoding, created));
    return created;
  }

  function trySend(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' || isOff()) return false;
    const url = request.url ?? '';
    if (!url.startsWith('/') || !url.startsWith(basePath)) return false;
    const isCall = url.startsWith(calls);
    const path = url.slice(basePath.length);
    const page = cache.getFresh(isCall ? callKey(path) : path);
    if (page === undefined) return false;
    const { acceptEncoding, ifNoneMatch, isVisitor } = readHeaders(request);
    if (isCall && !isVisitor) return false;
    const cached = findResponse(
      page,
      page.compressed === null ? undefined : acceptedEncoding(acceptEncoding),
    );
    if (cached === undefined || (isCall && !isCallAllowed(request))) return false;
    cache.countHit();
    if (!isCall && page.headers['content-type'] === HTML_TYPE) onPage(request);
    if (cached.etag !== null && ifNoneMatch !== '' && matchesEtag(ifNoneMatch, cached.etag))
      response.writeHead(304, cached.unchangedHeaders as string[]).end();
    else
      response
        .writeHead(200, isCall ? [...cached.headers, 'x-request-id', newId()] : (cached.headers as string[]))
        .end(cached.body);
    return true;
  }

  return (next: RequestListener): RequestListener =>
    (request, response) => {
      if (!trySend(request, response)) next(request, response);
    };
}
