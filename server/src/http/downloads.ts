import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Services } from '../ctx.ts';
import type { Ink } from '../drawing/landscape.ts';
import type { ByteRange } from '../files.ts';
import { systemCtx } from '../jobs.ts';
import { type Download, openLink } from '../modules/downloads/index.ts';
import { addressGroup, askerOf, plainAddress } from './asker.ts';
import type { Limiter } from './limits.ts';

/** Of one address: parts of a file are asked for one by one. */
const FLOOD = { max: 120, per: 60 };
/** Fifty megabytes on a slow line. */
const TIMEOUT_MS = 30 * 60_000;

/** The one part of a file that is asked for; null: all of it. */
function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start > end ? 'none' : { start, end };
}

const encodeName = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/** To be saved, never shown: whatever is in it, it is not part of the site. */
export function downloadHeaders({ name, type }: Pick<Download, 'name' | 'type'>): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': `attachment; filename*=UTF-8''${encodeName(name)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  };
}

/** A file, or the part of it that the header `range` asks for. */
export async function sendFile(
  reply: FastifyReply,
  { bytes, read }: { bytes: number; read: (range: ByteRange) => Promise<Readable> },
  header: string | undefined,
): Promise<FastifyReply> {
  const range = readRange(header, bytes);
  reply.header('accept-ranges', 'bytes');
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`);
  const content = await read({ start, end });
  return reply.header('content-length', end - start + 1).send(content);
}

interface DownloadsOptions {
  services: Services;
  limiter: Limiter | null;
  /** For the covers of books. */
  ink: Ink;
}

/** Where the links lead that `POST core/essay/download` gives. */
export function downloads(app: FastifyInstance, { services, limiter, ink }: DownloadsOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.rough([`download ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
      const ctx = { ...systemCtx(services), asker: askerOf(request), signal: request.ended };
      const download = await openLink(ctx, request.params.link, ink);
      reply.headers(downloadHeaders(download));
      if ('content' in download) return reply.send(download.content);
      const { path, bytes } = download;
      const read = (range: ByteRange) => services.files.read(path, range);
      return sendFile(reply, { bytes, read }, request.headers.range);
    },
  );
}
