import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { newId } from '../db/id.ts';
import { cacheControl } from './cached-page.ts';
import { acceptedEncoding, etagOf, hasEtag } from './negotiate.ts';
import { type CachedPage, callKey, type Encoding, type PageCache } from './page-cache.ts';

/** Header names and values by turns, which Node sends without looking at each. */
type RawHeaders = readonly string[];

interface ReadyAnswer {
  etag: string | null;
  headers: RawHeaders;
  /** For a client that has the page already. */
  unchangedHeaders: RawHeaders;
  body: Buffer;
}

interface ReadyAnswersOptions {
  cache: PageCache;
  basePath: string;
  /** On every response. */
  headers: Record<string, string>;
  /** Whether one more call of this client is allowed. */
  mayCall: (request: IncomingMessage) => boolean;
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
  const etag = page.etag === null ? null : etagOf(page.etag, isPlain ? undefined : encoding);
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

/** What matters here, without the object that Node makes of all headers. */
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
 * Sends what is kept ready (pages, feeds, pictures of links, calls of visitors) before the framework sees the request:
 * the framework costs three times as much as sending the bytes. Everything else, and what has to be made or packed
 * first, goes on to `next`.
 */
export function readyAnswers({ cache, basePath, headers: common, mayCall }: ReadyAnswersOptions) {
  const calls = `${basePath}/api/`;
  /** They go with their page when the cache drops it. */
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
    const isCall = url.startsWith(calls);
    const path = url.slice(basePath.length);
    const page = cache.fresh(isCall ? callKey(path) : path);
    if (page === undefined) return false;
    const { acceptEncoding, ifNoneMatch, isVisitor } = readHeaders(request);
    if (isCall && !isVisitor) return false;
    const ready = answerOf(page, page.packed === null ? undefined : acceptedEncoding(acceptEncoding));
    if (ready === undefined || (isCall && !mayCall(request))) return false;
    cache.countHit();
    if (ready.etag !== null && ifNoneMatch !== '' && hasEtag(ifNoneMatch, ready.etag))
      response.writeHead(304, ready.unchangedHeaders as string[]).end();
    else
      response
        .writeHead(200, isCall ? [...ready.headers, 'x-request-id', newId()] : (ready.headers as string[]))
        .end(ready.body);
    return true;
  }

  return (next: RequestListener): RequestListener =>
    (request, response) => {
      if (!answer(request, response)) next(request, response);
    };
}
