import type { FastifyInstance } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import type { ByteRange } from '../../../files/files.ts';
import { askerOf } from '../../../http/asker.ts';
import { downloadHeaders, sendFile } from '../../../http/send-file.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { openLink } from './actions.ts';

/** Of one address: parts of a file are asked for one by one. */
const FLOOD = { max: 120, per: 60 };
/** Fifty megabytes on a slow line. */
const TIMEOUT_MS = 30 * 60_000;

/** Where the links lead that `POST core/essay/download` gives. */
export function serveDownloads(app: FastifyInstance, { services, limiter, ink }: ServeOptions): void {
  app.get<{ Params: { link: string } }>(
    `${services.config.basePath}/download/:link`,
    { config: { timeoutMs: TIMEOUT_MS } },
    async (request, reply) => {
      limiter?.rough([`download ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
      const ctx = { ...systemCtx(services), asker: askerOf(request), signal: request.ended };
      const download = await openLink(ctx, request.params.link, ink);
      reply.headers(downloadHeaders(download));
      if ('content' in download) return reply.send(download.content);
      const { path, bytes } = download;
      const read = (range: ByteRange) => services.files.read(path, range);
      return sendFile(reply, { bytes, read }, request.headers.range);
    },
  );
}
