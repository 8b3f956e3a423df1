import type { FastifyInstance } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import type { ByteRange } from '../../../files/files.ts';
import { requesterOf } from '../../../http/requester.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openDownloadLink } from './actions.ts';

/** Per client address; range requests of one file count separately. */
const RATE_LIMIT = { max: 120, per: 60 };
/** Enough for fifty megabytes on a slow connection. */
const TIMEOUT_MS = 30 * 60_000;

/** Serves the links that `POST core/essay/download` returns. */
export function serveDownloads(
  app: FastifyInstance,
  { services, limiter, landscapeShapes }: ServeOptions,
): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.checkApproximate(
        [`download ${addressGroup(normalizeAddress(request.ip))}`],
        RATE_LIMIT,
        services.clock(),
      );
      const ctx = { ...systemCtx(services), requester: requesterOf(request), signal: request.ended };
      const download = await openDownloadLink(ctx, request.params.link, landscapeShapes);
      reply.headers(downloadHeaders(download));
      if ('content' in download) return reply.send(download.content);
      const { path, bytes } = download;
      const read = (range: ByteRange) => services.files.read(path, range);
      return sendFile(reply, { bytes, read }, request.headers.range);
    },
  );
}
