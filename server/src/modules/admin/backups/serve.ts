import type { FastifyInstance } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openDownloadLink } from './actions/manage.ts';

/** Per address; browsers request large files in several ranges. */
const RATE_LIMIT = { max: 60, per: 60 };
/** Enough for many gigabytes on a slow connection. */
const TIMEOUT_MS = 12 * 3_600_000;

export function serveBackups(app: FastifyInstance, { services, limiter }: ServeOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/backup/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.checkApproximate(
        [`backup ${addressGroup(normalizeAddress(request.ip))}`],
        RATE_LIMIT,
        services.clock(),
      );
      const { name, ...file } = await openDownloadLink(systemCtx(services), request.params.link);
      reply.headers(downloadHeaders({ name, type: 'application/x-tar' }));
      return sendFile(reply, file, request.headers.range);
    },
  );
}
