import type { Readable } from 'node:stream';
import { create } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { ByteRange } from '../files/files.ts';

/** The one part of a file that is asked for; null: all of it. */
function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start > end ? 'none' : { start, end };
}

/** To be saved, never shown: whatever is in it, it is not part of the site. */
export function downloadHeaders({ name, type }: { name: string; type: string }): Record<string, string> {
  return {
    'content-type': type,
    // In both forms: not every program that saves files reads the one for all alphabets.
    'content-disposition': create(name),
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
