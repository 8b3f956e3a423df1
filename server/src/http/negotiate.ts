import type { FastifyRequest } from 'fastify';
import type { Encoding } from './page-cache.ts';

/** No browser sends as much. */
const LONGEST_HEADER = 1000;

/** Named, and not with a weight of nothing. */
const accepts = (header: string, encoding: Encoding): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const isRefused = parameters.some((each) => each.startsWith('q=') && Number(each.slice(2)) === 0);
    return name === encoding && !isRefused;
  });

/** Browsers send few different ones. */
const accepted = new Map<string, Encoding | undefined>();
const MOST_KEPT = 200;

/** How the response may be packed; undefined: not at all. */
export function acceptedEncoding(header: string): Encoding | undefined {
  if (accepted.has(header)) return accepted.get(header);
  if (header.length > LONGEST_HEADER) return undefined;
  const encoding = (['br', 'gzip'] as const).find((each) => accepts(header.toLowerCase(), each));
  if (accepted.size < MOST_KEPT) accepted.set(header, encoding);
  return encoding;
}

export const encodingFor = ({ headers }: FastifyRequest): Encoding | undefined =>
  acceptedEncoding(headers['accept-encoding'] ?? '');

/** Whether the client has that version, or any. A proxy may have marked its tag as weak, a browser may send several. */
export const hasEtag = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag);

export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean =>
  hasEtag(headers['if-none-match'] ?? '', etag);

/** Each encoding of a content is a representation of its own, with a tag of its own. */
export const etagOf = (etag: string, encoding: Encoding | undefined): string =>
  encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`;
