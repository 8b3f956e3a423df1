import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodingFor, etagOf, isKnown } from './negotiate.ts';
import type { CachedPage, Encoding } from './page-cache.ts';

export const cacheControl = (status: number) =>
  status === 200 ? 'public, max-age=0, s-maxage=60' : 'no-store';

interface PageParts {
  status?: number;
  /** `content-type` among them. */
  headers: Record<string, string>;
  tags: ReadonlySet<string>;
  /** A picture is packed already. */
  packing?: 'none';
  /** Clients may not keep it. */
  isPrivate?: boolean;
  maxAgeMs?: number;
}

/** With a tag that changes when the content does. */
export function toCachedPage(
  content: Buffer,
  { status = 200, headers, tags, packing, isPrivate = false, ...more }: PageParts,
): CachedPage {
  return {
    status,
    etag: isPrivate ? null : `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    headers,
    content,
    packed: packing === 'none' ? null : {},
    tags,
    renderedAt: Date.now(),
    ...more,
  };
}

const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const best = {
  br: (content: Buffer) => compressBr(content, brotli(6)),
  gzip: (content: Buffer) => compressGzip(content, { level: 9 }),
};

const quickBr = brotli(1);
const quickGzip = { level: 1 };
/** Packed in less time than it takes to have another thread do it. */
const SMALL = 128 * 1024;

export const quick = {
  br: async (content: Buffer) =>
    content.length < SMALL ? brotliCompressSync(content, quickBr) : compressBr(content, quickBr),
  gzip: async (content: Buffer) =>
    content.length < SMALL ? gzipSync(content, quickGzip) : compressGzip(content, quickGzip),
};

/** Quickly for whoever asks first. Asked for again, it is worth more effort, for which nobody has to wait. */
async function pack(content: Buffer, packed: NonNullable<CachedPage['packed']>, encoding: Encoding) {
  const ready = packed[encoding];
  if (ready === undefined) {
    const bytes = quick[encoding](content);
    packed[encoding] = { bytes, isImproving: false };
    return bytes;
  }
  if (!ready.isImproving) {
    ready.isImproving = true;
    best[encoding](content).then(
      (bytes) => {
        ready.best = bytes;
      },
      () => {},
    );
  }
  return ready.best ?? ready.bytes;
}

export async function sendCachedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: CachedPage,
): Promise<FastifyReply> {
  reply
    .code(page.status)
    .header('cache-control', cacheControl(page.status))
    .header('vary', 'accept-encoding')
    .headers(page.headers);
  const encoding = page.packed === null ? undefined : encodingFor(request);
  if (page.status === 200 && page.etag !== null) {
    const etag = etagOf(page.etag, encoding);
    reply.header('etag', etag);
    if (isKnown(request, etag)) return reply.code(304).send();
  }
  if (encoding === undefined || page.packed === null) return reply.send(page.content);
  return reply.header('content-encoding', encoding).send(await pack(page.content, page.packed, encoding));
}
