import fastifyStatic from '@fastify/static';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { publicFolder } from '../../../files/disk.ts';
import { isFilePath } from '../../../files/files.ts';
import { typeOfFile } from '../../../files/s3.ts';
import { isKnown } from '../../../http/negotiate.ts';
import type { ServeOptions } from '../../../module.ts';

/** Whatever is in a file, it is not part of the site. */
const POLICY = "default-src 'none'; sandbox";

/** `/files/…`, for everyone: named by their content, so kept by browsers and proxies for ever. */
export async function serveUploads(app: FastifyInstance, { services }: ServeOptions): Promise<void> {
  const { config, files } = services;
  const prefix = `${config.basePath}/files/`;
  const { s3 } = config;
  if (s3 === null) {
    await app.register(fastifyStatic, {
      root: publicFolder(config.dataDir),
      prefix,
      decorateReply: false,
      immutable: true,
      maxAge: '365d',
      index: false,
      setHeaders: (reply) => {
        reply.header('content-security-policy', POLICY);
      },
    });
    return;
  }
  app.get<{ Params: { folder: string; name: string } }>(`${prefix}:folder/:name`, async (request, reply) => {
    const path = `/files/${request.params.folder}/${request.params.name}`;
    if (!isFilePath(path)) throw new CallError('NOT_FOUND');
    // Scripts may read what is ours, while the store need not allow them to read what is its own.
    if (s3.publicUrl !== null) {
      reply.header('vary', 'sec-fetch-mode');
      if (request.headers['sec-fetch-mode'] !== 'cors')
        // Another address may be configured tomorrow.
        return reply.header('cache-control', 'public, max-age=86400').redirect(files.urlOf(path), 302);
    }
    const etag = `"${request.params.name}"`;
    const kept = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    const isAny = request.headers['if-none-match']?.trim() === '*';
    if (!isAny && isKnown(request, etag)) return reply.code(304).headers(kept).send();
    const content = await files.read(path);
    // Whether there is one is known now.
    if (isAny) {
      content.destroy();
      return reply.code(304).headers(kept).send();
    }
    return reply
      .headers({ ...kept, 'content-type': typeOfFile(path), 'content-security-policy': POLICY })
      .send(content);
  });
}
