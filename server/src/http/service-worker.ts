import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/platform/settings/index.ts';
import { isKnown } from './negotiate.ts';
import type { Site } from './pages.ts';

/**
 * The worker behind offline support, at an address that never changes. It is served when support is off as well: then
 * it takes itself away from the browsers that have it.
 */
export function serviceWorker(app: FastifyInstance, services: Services, { worker }: Site): void {
  if (worker === undefined) return;
  const { basePath } = services.config;
  let last = { settings: '', text: '' };

  app.get(`${basePath}/service-worker.js`, async (request, reply) => {
    const settings = await getSiteSettings(systemCtx(services));
    const key = JSON.stringify(settings);
    if (key !== last.settings) last = { settings: key, text: worker(settings) };
    const etag = `"${createHash('sha256').update(last.text).digest('base64url').slice(0, 22)}"`;
    reply.headers({ 'cache-control': 'no-cache', etag, 'service-worker-allowed': `${basePath}/` });
    if (isKnown(request, etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(last.text);
  });
}
