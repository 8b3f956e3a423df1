import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CachedPage } from './page-cache.ts';

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface PageParts {
  status?: number;
  /** `content-type` among them. */
  headers: Record<string, string>;
  tags: ReadonlySet<string>;
  /** A picture is packed already; what is sent once is not worth the effort of what is kept. */
  packing?: 'best' | 'quick' | 'none';
}

async function pack(content: Buffer, packing: NonNullable<PageParts['packing']>) {
  if (packing === 'none') return {};
  if (packing === 'quick') return { gzip: await compressGzip(content, { level: 1 }) };
  const [gz, br] = await Promise.all([
    compressGzip(content, { level: 9 }),
    compressBr(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  ]);
  return { gzip: gz, br };
}

/** Ready to send in every encoding, with a tag that changes when the content does. */
export async function toCachedPage(
  content: Buffer,
  { status = 200, headers, tags, packing = 'best' }: PageParts,
): Promise<CachedPage> {
  return {
    status,
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    headers,
    body: { identity: content, ...(await pack(content, packing)) },
    tags,
    renderedAt: Date.now(),
  };
}

export function sendCachedPage(request: FastifyRequest, reply: FastifyReply, page: CachedPage): FastifyReply {
  reply
    .code(page.status)
    .header('cache-control', page.status === 200 ? 'public, max-age=0, s-maxage=60' : 'no-store')
    .header('vary', 'accept-encoding')
    .headers(page.headers);
  if (page.status === 200) {
    reply.header('etag', page.etag);
    // A proxy that packs pages itself marks the tag as weak; a browser may send several.
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = (['br', 'gzip'] as const).find((each) => page.body[each] && accepts(accepted, each));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(page.body[encoding ?? 'identity']);
}

/** Named, and not with a weight of nothing. */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
