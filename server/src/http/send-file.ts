import type { Readable } from 'node:stream';
import { create } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import type { ByteRange } from '../files/files.ts';

/** Parses a single range; null: the entire file, 'none': not satisfiable. */
function readRange(header: string | undefined, bytes: number): ByteRange | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start > end ? 'none' : { start, end };
}

/** Makes browsers save the file and never display it as part of the site. */
export function downloadHeaders({ name, type }: { name: string; type: string }): Record<string, string> {
  return {
    'content-type': type,
    // Contains an ASCII name too, because not every client supports `filename*`.
    'content-disposition': create(name),
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  };
}

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
