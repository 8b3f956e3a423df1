import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import type { Ctx } from '../../../ctx.ts';
import { sendCachedPage, toCachedPage } from '../../../http/cached-page.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { createFairQueue } from '../../../threads/fair-queue.ts';
import { toRobotsText } from '../site/index.ts';
import {
  type FeedFormat,
  type FeedScope,
  getOgImageText,
  renderFeed,
  renderSitemapIndex,
  renderSitemapPart,
} from './actions.ts';
import { drawOgImage } from './og-image.ts';

/** Per client address; cached responses are not counted. */
const RATE_LIMIT = { max: 120, per: 60 };

const XML = 'application/xml; charset=utf-8';
const feedTypes: Record<FeedFormat, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};
const HOUR = 'public, max-age=3600';
const DAY = 'public, max-age=86400';

function requireId(text: string): string {
  if (!/^[0-9a-f]{32}$/.test(text)) throw new CallError('NOT_FOUND');
  return text;
}

/** The database refuses a text with a NUL character. */
function requireTag(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new CallError('NOT_FOUND');
  return text;
}

interface CachedResource {
  /** Cache key: the path. */
  key: string;
  create: (ctx: Ctx) => Promise<Buffer>;
  headers: Record<string, string>;
  compression?: 'none';
}

/** Serves feeds, sitemap, robots.txt and link preview images; they are public and cached like pages. */
export function serveFeeds(app: FastifyInstance, { services, limiter, landscapeShapes }: ServeOptions): void {
  const { config, pages: cache } = services;
  const { basePath } = config;

  const imageQueue = createFairQueue({
    maxWaiting: 30,
    maxWaitingPerCaller: 10,
    busyMessage: '正在生成的图片太多，请稍后再试',
  });
  const groupOf = (request: FastifyRequest) => addressGroup(normalizeAddress(request.ip));
  const count = (request: FastifyRequest) =>
    limiter?.checkApproximate([`feed ${groupOf(request)}`], RATE_LIMIT, services.clock());

  async function sendCached(
    request: FastifyRequest,
    reply: FastifyReply,
    resource: CachedResource,
  ): Promise<FastifyReply> {
    const { key, create, ...parts } = resource;
    const render = async () => {
      count(request);
      const tags = new Set<string>();
      return toCachedPage(await create({ ...systemCtx(services), pageTags: tags }), { ...parts, tags });
    };
    return sendCachedPage(request, reply, await (config.dev ? render() : cache.get(key, render)));
  }

  function feed(path: string, scopeOf: (params: Record<string, string>) => FeedScope): void {
    for (const [end, format] of [
      ['xml', 'atom'],
      ['json', 'json'],
    ] as const) {
      app.get<{ Params: Record<string, string> }>(
        `${basePath}${path}/feed.${end}`,
        async (request, reply) => {
          const scope = scopeOf(request.params);
          return sendCached(request, reply, {
            key: `${path.replace(/:(\w+)/, (_, name) => encodeURIComponent(request.params[name] ?? ''))}/feed.${end}`,
            create: async (ctx) => Buffer.from(await renderFeed(ctx, scope, format)),
            headers: { 'content-type': feedTypes[format] },
          });
        },
      );
    }
  }
  feed('', () => ({}));
  feed('/essay/:slug', ({ slug = '' }) => ({ slug }));
  feed('/user/:id', ({ id = '' }) => ({ authorId: requireId(id) }));
  feed('/column/:id', ({ id = '' }) => ({ columnId: requireId(id) }));
  feed('/tag/:tag', ({ tag = '' }) => ({ tag: requireTag(tag) }));

  app.get(`${basePath}/sitemap.xml`, (request, reply) =>
    sendCached(request, reply, {
      key: '/sitemap.xml',
      create: async (ctx) => Buffer.from(await renderSitemapIndex(ctx)),
      headers: { 'content-type': XML },
    }),
  );
  // Not cached: parts have megabytes, and a crawler that requests all of them would evict the pages.
  app.get<{ Params: { part: string } }>(`${basePath}/sitemap/:part.xml`, async (request, reply) => {
    count(request);
    const xml = await renderSitemapPart(systemCtx(services), request.params.part);
    const headers = { 'content-type': XML, 'cache-control': HOUR };
    return sendCachedPage(request, reply, toCachedPage(Buffer.from(xml), { headers, tags: new Set() }));
  });

  app.get(`${basePath}/robots.txt`, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      // Short, so that a change applies soon.
      .header('cache-control', 'public, max-age=60')
      .send(toRobotsText(config, services.searchEngines.current())),
  );

  app.get<{ Params: { name: string } }>(`${basePath}/og/:name.png`, (request, reply) =>
    sendCached(request, reply, {
      key: `/og/${request.params.name}.png`,
      create: async (ctx) => {
        const text = await getOgImageText(ctx, request.params.name);
        // Others may be waiting for the same picture, so it is drawn even when this client has gone.
        const caller = { key: groupOf(request), signal: null };
        return imageQueue(caller, () => drawOgImage(caller, landscapeShapes, text));
      },
      headers: { 'content-type': 'image/png', 'cache-control': DAY },
      compression: 'none',
    }),
  );
}
