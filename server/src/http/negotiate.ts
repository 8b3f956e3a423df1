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

/** How the response may be packed; undefined: not at all. */
export function encodingFor({ headers }: FastifyRequest): Encoding | undefined {
  const header = headers['accept-encoding'] ?? '';
  if (header.length > LONGEST_HEADER) return undefined;
  return (['br', 'gzip'] as const).find((each) => accepts(header.toLowerCase(), each));
}

/** Whether the client has that version. A proxy may have marked its tag as weak, a browser may send several. */
export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.includes(etag) ?? false;
