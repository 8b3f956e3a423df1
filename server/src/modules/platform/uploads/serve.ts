import fastifyStatic from '@fastify/static';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { publicFolder } from '../../../files/disk.ts';
import { isFilePath } from '../../../files/files.ts';
import { contentTypeOf } from '../../../files/s3.ts';
import { isNotModified } from '../../../http/negotiate.ts';
import type { ServeOptions } from '../../../module.ts';

/** Uploaded files must not run scripts in the origin of the site. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/** Serves `/files/…`. Files are named by their content, so browsers and proxies may cache them forever. */
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
        reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
      },
    });
    return;
  }
  app.get<{ Params: { folder: string; name: string } }>(`${prefix}:folder/:name`, async (request, reply) => {
    const path = `/files/${request.params.folder}/${request.params.name}`;
    if (!isFilePath(path)) throw new CallError('NOT_FOUND');
    // CORS requests are served here, because the S3 bucket need not allow cross-origin reads.
    if (s3.publicUrl !== null) {
      reply.header('vary', 'sec-fetch-mode');
      if (request.headers['sec-fetch-mode'] !== 'cors')
        // The public URL of the bucket may change, so the redirect is not permanent.
        return reply.header('cache-control', 'public, max-age=86400').redirect(files.urlOf(path), 302);
    }
    const etag = `"${request.params.name}"`;
    const cacheHeaders = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    const isAny = request.headers['if-none-match']?.trim() === '*';
    if (!isAny && isNotModified(request, etag)) return reply.code(304).headers(cacheHeaders).send();
    const content = await files.read(path);
    // `If-None-Match: *` only tests whether the file exists.
    if (isAny) {
      content.destroy();
      return reply.code(304).headers(cacheHeaders).send();
    }
    return reply
      .headers({
        ...cacheHeaders,
        'content-type': contentTypeOf(path),
        'content-security-policy': CONTENT_SECURITY_POLICY,
      })
      .send(content);
  });
}
