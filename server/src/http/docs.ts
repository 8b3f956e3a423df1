import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { routeNameOf } from '@mozhan/contract/define.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, normalizeAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/platform/settings/index.ts';
import { sendCachedPage, toCachedPage } from './cached-page.ts';
import { docsStyle } from './docs-page.ts';
import type { Limiter } from './limits.ts';
import type { CachedPage } from './page-cache.ts';
import type { Binding } from './route.ts';

const RATE_LIMIT = { max: 60, per: 60 };

export interface ApiDocumentsOptions {
  names: string[];
  title: string;
  server: string;
  stylesheet: string;
}

export interface ApiDocuments {
  json: Uint8Array;
  html: Uint8Array;
}

interface Pages {
  json: CachedPage;
  html: CachedPage;
}

/** Runs in a thread, because generating the documents takes 200 ms. */
async function generatePages(options: ApiDocumentsOptions): Promise<Pages> {
  const worker = new Worker(new URL('./docs-worker.ts', import.meta.url), { workerData: options });
  const [{ json, html }] = (await once(worker, 'message')) as [ApiDocuments];
  const toPage = (content: Uint8Array, type: string) =>
    toCachedPage(Buffer.from(content), {
      headers: { 'content-type': `${type}; charset=utf-8` },
      tags: new Set(),
    });
  return { json: toPage(json, 'application/json'), html: toPage(html, 'text/html') };
}

/** Serves the OpenAPI document and its HTML page, generated on first request and again when the title changes. */
export function registerDocs(
  server: FastifyInstance,
  services: Services,
  bindings: readonly Binding[],
  limiter: Limiter | null,
): void {
  const { basePath, siteUrl } = services.config;
  let generated: { title: string; pages: Promise<Pages> } | null = null;

  function pagesFor(title: string): Promise<Pages> {
    if (generated?.title === title) return generated.pages;
    const pages = generatePages({
      names: bindings.map(({ call }) => routeNameOf(call)),
      title,
      server: siteUrl ?? basePath,
      stylesheet: `${basePath}/api/docs.css`,
    });
    const entry = { title, pages };
    generated = entry;
    // A failure must not be cached.
    pages.catch(() => {
      if (generated === entry) generated = null;
    });
    return pages;
  }

  const send = (kind: keyof Pages) => async (request: FastifyRequest, reply: FastifyReply) => {
    limiter?.checkApproximate(
      [`docs ${addressGroup(normalizeAddress(request.ip))}`],
      RATE_LIMIT,
      services.clock(),
    );
    const { title } = await getSiteSettings(systemCtx(services));
    const pages = await pagesFor(title);
    return sendCachedPage(request, reply, pages[kind]);
  };

  server.get(`${basePath}/api/openapi.json`, send('json'));
  server.get(`${basePath}/api/docs`, send('html'));
  server.get(`${basePath}/api/docs.css`, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(docsStyle),
  );
}
