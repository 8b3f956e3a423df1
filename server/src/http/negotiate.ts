import type { FastifyRequest } from 'fastify';
import type { Encoding } from './page-cache.ts';

/** Longer than the header of any browser. */
const MAX_HEADER_LENGTH = 1000;

/** Whether the header lists the encoding without `q=0`. */
const accepts = (header: string, encoding: Encoding): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const isExcluded = parameters.some((each) => each.startsWith('q=') && Number(each.slice(2)) === 0);
    return name === encoding && !isExcluded;
  });

/** Results by header value, of which browsers send few different ones. */
const cachedEncodings = new Map<string, Encoding | undefined>();
const MAX_CACHED_ENCODINGS = 200;

export function acceptedEncoding(header: string): Encoding | undefined {
  if (cachedEncodings.has(header)) return cachedEncodings.get(header);
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  const encoding = (['br', 'gzip'] as const).find((each) => accepts(header.toLowerCase(), each));
  if (cachedEncodings.size < MAX_CACHED_ENCODINGS) cachedEncodings.set(header, encoding);
  return encoding;
}

export const encodingFor = ({ headers }: FastifyRequest): Encoding | undefined =>
  acceptedEncoding(headers['accept-encoding'] ?? '');

/** Whether If-None-Match is `*` or contains the ETag, also as one of several or marked as weak by a proxy. */
export const matchesEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag);

export const isNotModified = ({ headers }: FastifyRequest, etag: string): boolean =>
  matchesEtag(headers['if-none-match'] ?? '', etag);

/** Each encoding is a separate representation and needs its own ETag. */
export const etagWithEncoding = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`;
