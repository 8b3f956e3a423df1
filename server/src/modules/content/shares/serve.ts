import { createHash } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import { shareCode } from '@mozhan/contract/shares.ts';
import type { FastifyInstance } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import { isKnown } from '../../../http/negotiate.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { createFairQueue } from '../../../threads/fair-queue.ts';
import { getPosterContent } from './actions.ts';
import { drawPoster } from './poster.ts';

/** What one address may have drawn in a minute. */
const FLOOD = { max: 30, per: 60 };
/** Raised when posters look different. */
const DRAWING = 1;

/** `GET core/essay/{id}/poster.png?code=`: drawn when it is asked for, and kept by browsers and proxies. */
export function servePosters(app: FastifyInstance, { services, limiter, ink, mark }: ServeOptions): void {
  const inTurn = createFairQueue({
    maxWaiting: 30,
    maxWaitingPerCaller: 15,
    busyMessage: '正在生成的海报太多，请稍后再试',
  });
  app.get<{ Params: { id: string }; Querystring: { code?: unknown } }>(
    `${services.config.basePath}/api/core/essay/:id/poster.png`,
    async (request, reply) => {
      const { id } = request.params;
      const given = shareCode.optional().safeParse(request.query.code);
      if (!/^[0-9a-f]{32}$/.test(id) || !given.success) throw new CallError('NOT_FOUND');
      const content = await getPosterContent(systemCtx(services), id, given.data ?? null);
      const hash = createHash('sha256').update(JSON.stringify({ DRAWING, content }));
      const etag = `"${hash.digest('base64url').slice(0, 22)}"`;
      // Only with what may be kept: a refusal is not.
      const kept = { etag, 'cache-control': 'public, max-age=3600' };
      if (isKnown(request, etag)) return reply.code(304).headers(kept).send();
      const key = addressGroup(plainAddress(request.ip));
      limiter?.rough([`poster ${key}`], FLOOD, services.clock());
      const caller = { key, signal: request.ended };
      const png = await inTurn(caller, () => drawPoster(caller, services.files, { ink, mark }, content));
      return reply.headers(kept).type('image/png').header('x-robots-tag', 'noindex').send(png);
    },
  );
}
