import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { nameOf } from '@mozhan/contract/define.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, plainAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import { getSiteSettings } from '../modules/platform/settings/index.ts';
import { sendCachedPage, toCachedPage } from './cached-page.ts';
import { docsStyle } from './docs-page.ts';
import type { Limiter } from './limits.ts';
import type { CachedPage } from './page-cache.ts';
import type { Binding } from './route.ts';

/** Documents that one address may ask for in a minute. */
const FLOOD = { max: 60, per: 60 };

export interface DocumentsOptions {
  /** Of the calls that the server answers. */
  names: string[];
  title: string;
  /** The address below which the calls are. */
  server: string;
  stylesheet: string;
}

export interface Documents {
  json: Uint8Array;
  html: Uint8Array;
}

interface Pages {
  json: CachedPage;
  html: CachedPage;
}

/** Describing every call takes 200 ms, so a thread does it. */
async function makePages(options: DocumentsOptions): Promise<Pages> {
  const worker = new Worker(new URL('./docs-worker.ts', import.meta.url), { workerData: options });
  const [{ json, html }] = (await once(worker, 'message')) as [Documents];
  const toPage = (content: Uint8Array, type: string) =>
    toCachedPage(Buffer.from(content), {
      headers: { 'content-type': `${type}; charset=utf-8` },
      tags: new Set(),
    });
  return { json: toPage(json, 'application/json'), html: toPage(html, 'text/html') };
}

/** The description of the calls, for machines and for people: made when it is first asked for, and for a new title. */
export function docs(
  server: FastifyInstance,
  services: Services,
  bindings: readonly Binding[],
  limiter: Limiter | null,
): void {
  const { basePath, siteUrl } = services.config;
  let made: { title: string; pages: Promise<Pages> } | null = null;

  function pagesFor(title: string): Promise<Pages> {
    if (made?.title === title) return made.pages;
    const pages = makePages({
      names: bindings.map(({ call }) => nameOf(call)),
      title,
      server: siteUrl ?? basePath,
      stylesheet: `${basePath}/api/docs.css`,
    });
    const own = { title, pages };
    made = own;
    // One failure must not be everyone's answer from then on.
    pages.catch(() => {
      if (made === own) made = null;
    });
    return pages;
  }

  const send = (kind: keyof Pages) => async (request: FastifyRequest, reply: FastifyReply) => {
    limiter?.rough([`docs ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
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
