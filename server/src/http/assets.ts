import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { encodingFor, etagWithEncoding, isNotModified } from './negotiate.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const SUFFIXES = { br: '.br', gzip: '.gz' };
/** More than all files with their best compression take; beyond it, files are read for each request. */
const MAX_CACHED_BYTES = 8 << 20;

interface AssetsOptions {
  folder: string;
  /** Path of the URLs, ending with a slash. */
  prefix: string;
  headers?: Record<string, string>;
}

/**
 * Serves the files of a build, with their compressed copies. Their names contain a hash of the content, so browsers and
 * proxies may cache them forever, and this process does.
 */
export async function serveAssets(
  app: FastifyInstance,
  { folder, prefix, headers = {} }: AssetsOptions,
): Promise<void> {
  const names = new Set(await readdir(folder));
  const cached = new Map<string, Buffer>();
  let cachedBytes = 0;

  async function read(name: string): Promise<Buffer> {
    const known = cached.get(name);
    if (known !== undefined) return known;
    const content = await readFile(join(folder, name));
    if (!cached.has(name) && cachedBytes + content.length <= MAX_CACHED_BYTES) {
      cached.set(name, content);
      cachedBytes += content.length;
    }
    return content;
  }

  app.get<{ Params: { name: string } }>(`${prefix}:name`, async (request, reply) => {
    const { name } = request.params;
    const type = TYPES[extname(name)];
    if (type === undefined || !names.has(name)) {
      reply.callNotFound();
      return reply;
    }
    const accepted = encodingFor(request);
    const encoding = accepted !== undefined && names.has(name + SUFFIXES[accepted]) ? accepted : undefined;
    const etag = etagWithEncoding(`"${name}"`, encoding);
    reply.headers({
      ...headers,
      etag,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    if (isNotModified(request, etag)) return reply.code(304).send();
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    const content = await read(encoding === undefined ? name : name + SUFFIXES[encoding]);
    return reply.type(type).send(content);
  });
}
