import send from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isFilePath } from '../../../files/files.ts';
import { contentTypeOf } from '../../../files/s3.ts';
import { isNotModified } from '../../../http/negotiate.ts';
import type { ServeOptions } from '../../../module.ts';

/** Uploaded files must not run scripts in the origin of the site. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox";

/** Returns the reply, because the site's page for it is rendered later. */
function sendNotFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

/** `@fastify/static` would list the whole folder for each request, to compare upper and lower case. */
async function sendFromDisk(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  dataDir: string,
): Promise<FastifyReply> {
  const options = { root: dataDir, immutable: true, maxAge: '365d', index: false };
  const { type, statusCode, headers, stream, metadata } = await send(request.raw, path, options);
  if (type === 'error' && statusCode !== 404) throw metadata.error;
  if (type !== 'file') return sendNotFound(reply);
  return reply
    .code(statusCode)
    .headers({ ...headers, 'content-security-policy': CONTENT_SECURITY_POLICY })
    .send(stream);
}

/** Serves `/files/…`. Files are named by their content, so browsers and proxies may cache them forever. */
export async function serveUploads(app: FastifyInstance, { services }: ServeOptions): Promise<void> {
  const { config, files } = services;
  const prefix = `${config.basePath}/files/`;
  const { s3 } = config;
  app.get<{ Params: { folder: string; name: string } }>(`${prefix}:folder/:name`, async (request, reply) => {
    const path = `/files/${request.params.folder}/${request.params.name}`;
    if (!isFilePath(path)) return sendNotFound(reply);
    if (s3 === null) return sendFromDisk(request, reply, path, config.dataDir);
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
