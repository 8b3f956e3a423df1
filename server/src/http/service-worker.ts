import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/platform/settings/index.ts';
import { isNotModified } from './negotiate.ts';
import type { Site } from './pages.ts';

/**
 * Serves the service worker for offline support at a fixed URL. When support is off it is still served, to unregister
 * itself in browsers that have it.
 */
export function registerServiceWorker(
  app: FastifyInstance,
  services: Services,
  { createServiceWorker }: Site,
): void {
  if (createServiceWorker === undefined) return;
  const { basePath } = services.config;
  let last = { settings: '', text: '' };

  app.get(`${basePath}/service-worker.js`, async (request, reply) => {
    const settings = await getSiteSettings(systemCtx(services));
    const key = JSON.stringify(settings);
    if (key !== last.settings) last = { settings: key, text: createServiceWorker(settings) };
    const etag = `"${createHash('sha256').update(last.text).digest('base64url').slice(0, 22)}"`;
    reply.headers({ 'cache-control': 'no-cache', etag, 'service-worker-allowed': `${basePath}/` });
    if (isNotModified(request, etag)) return reply.code(304).send();
    return reply.type('text/javascript; charset=utf-8').send(last.text);
  });
}
