import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import type { ByteRange } from '../../../files/files.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openTransferLink } from './actions/download.ts';
import { openOwnData } from './actions/own-data.ts';

/** Per address; browsers request large files in several ranges. */
const RATE_LIMIT = { max: 60, per: 60 };
/** Enough for gigabytes on a slow connection. */
const TIMEOUT_MS = 6 * 3_600_000;

export function serveTransfers(app: FastifyInstance, { services, limiter }: ServeOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/transfer/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.checkApproximate(
        [`transfer ${addressGroup(normalizeAddress(request.ip))}`],
        RATE_LIMIT,
        services.clock(),
      );
      const { name, type, path, bytes } = await openTransferLink(systemCtx(services), request.params.link);
      reply.headers(downloadHeaders({ name, type }));
      const read = (range: ByteRange) => services.files.read(path, range);
      return sendFile(reply, { bytes, read }, request.headers.range);
    },
  );
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/own-data/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.checkApproximate(
        [`transfer ${addressGroup(normalizeAddress(request.ip))}`],
        RATE_LIMIT,
        services.clock(),
      );
      const content = await openOwnData(systemCtx(services), request.params.link);
      reply.headers(downloadHeaders({ name: '我的数据.zip', type: 'application/zip' }));
      return reply.send(Readable.from(content));
    },
  );
}
