import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import type { ByteRange } from '../../../files/files.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openTransferLink } from './actions/fetch.ts';
import { openOwnData } from './actions/own-data.ts';

/** Of one address: parts of a file are asked for one by one. */
const FLOOD = { max: 60, per: 60 };
/** Gigabytes on a slow line. */
const TIMEOUT_MS = 6 * 3_600_000;

/** Where the links to exported files lead, and those to one's own data. */
export function serveTransfers(app: FastifyInstance, { services, limiter }: ServeOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/transfer/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.rough([`transfer ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
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
      limiter?.rough([`transfer ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
      const content = await openOwnData(systemCtx(services), request.params.link);
      reply.headers(downloadHeaders({ name: '我的数据.zip', type: 'application/zip' }));
      return reply.send(Readable.from(content));
    },
  );
}
