import type { FastifyInstance } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openLink } from './actions/manage.ts';

/** Of one address: parts of a file are asked for one by one. */
const FLOOD = { max: 60, per: 60 };
/** Many gigabytes on a slow line. */
const TIMEOUT_MS = 12 * 3_600_000;

/** Where the links lead that `POST core/sys/backup/link` gives. */
export function serveBackups(app: FastifyInstance, { services, limiter }: ServeOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/backup/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.rough([`backup ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
      const { name, ...file } = await openLink(systemCtx(services), request.params.link);
      reply.headers(downloadHeaders({ name, type: 'application/x-tar' }));
      return sendFile(reply, file, request.headers.range);
    },
  );
}
