import { createHash } from 'node:crypto';
import { CallError } from '@mozhan/contract/errors.ts';
import { shareCode } from '@mozhan/contract/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import { isNotModified } from '../../../http/negotiate.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { createFairQueue } from '../../../threads/fair-queue.ts';
import { getPosterContent } from './actions.ts';
import { drawPoster } from './poster.ts';

/** Spaces included. */
const quoteWords = z.string().min(1).max(1000);

/** Per client address. */
const RATE_LIMIT = { max: 30, per: 60 };
/** Increment when the design changes, so that cached posters are replaced. */
const DRAWING = 1;

/** `GET core/essay/{id}/poster.png?code=&quote=`: drawn on request, cached by browsers and proxies. */
export function servePosters(
  app: FastifyInstance,
  { services, limiter, landscapeShapes, mark }: ServeOptions,
): void {
  const posterQueue = createFairQueue({
    maxWaiting: 30,
    maxWaitingPerCaller: 15,
    busyMessage: '正在生成的海报太多，请稍后再试',
  });
  app.get<{ Params: { id: string }; Querystring: { code?: unknown; quote?: unknown } }>(
    `${services.config.basePath}/api/core/essay/:id/poster.png`,
    async (request, reply) => {
      const { id } = request.params;
      const given = shareCode.optional().safeParse(request.query.code);
      const words = quoteWords.optional().safeParse(request.query.quote);
      if (!/^[0-9a-f]{32}$/.test(id) || !given.success || !words.success) throw new CallError('NOT_FOUND');
      const key = addressGroup(normalizeAddress(request.ip));
      const caller = { key, signal: request.ended };
      const limitRequests = () => limiter?.checkApproximate([`poster ${key}`], RATE_LIMIT, services.clock());
      if (words.data !== undefined) limitRequests();
      const quote = words.data === undefined ? null : { words: words.data, caller };
      const content = await getPosterContent(systemCtx(services), id, given.data ?? null, quote);
      const hash = createHash('sha256').update(JSON.stringify({ DRAWING, content }));
      const etag = `"${hash.digest('base64url').slice(0, 22)}"`;
      // Errors must not get these cache headers.
      const cacheHeaders = { etag, 'cache-control': 'public, max-age=3600' };
      if (isNotModified(request, etag)) return reply.code(304).headers(cacheHeaders).send();
      if (quote === null) limitRequests();
      const png = await posterQueue(caller, () =>
        drawPoster(caller, services.files, { landscapeShapes, mark }, content),
      );
      return reply.headers(cacheHeaders).type('image/png').header('x-robots-tag', 'noindex').send(png);
    },
  );
}
