import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import type { Ctx } from '../../../ctx.ts';
import { sendCachedPage, toCachedPage } from '../../../http/cached-page.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { createFairQueue } from '../../../threads/fair-queue.ts';
import {
  type FeedFormat,
  type FeedScope,
  getPictureText,
  makeFeed,
  makeSitemapIndex,
  makeSitemapPart,
} from './actions.ts';
import { drawPicture } from './picture.ts';

/** What one address may have made in a minute; what is kept ready is not counted. */
const FLOOD = { max: 120, per: 60 };

const XML = 'application/xml; charset=utf-8';
const feedTypes: Record<FeedFormat, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
};
const HOUR = 'public, max-age=3600';
const DAY = 'public, max-age=86400';

/** What crawlers need not look at. */
const CLOSED = [
  '/api/',
  '/admin',
  '/account/',
  '/essay/create.html',
  '/essay/edit.html',
  '/exception',
  '/download/',
];

interface Asked {
  /** Under which it is kept: its address. */
  key: string;
  make: (ctx: Ctx) => Promise<Buffer>;
  headers: Record<string, string>;
  packing?: 'none';
}

/** Feeds, sitemap, robots and pictures of links: made for everyone alike, and kept ready like pages. */
export function serveFeeds(app: FastifyInstance, { services, limiter, ink }: ServeOptions): void {
  const { config, pages: cache } = services;
  const { basePath, siteUrl } = config;

  const inTurn = createFairQueue({
    maxWaiting: 30,
    maxWaitingPerCaller: 10,
    busyMessage: '正在生成的图片太多，请稍后再试',
  });
  const groupOf = (request: FastifyRequest) => addressGroup(plainAddress(request.ip));
  const count = (request: FastifyRequest) =>
    limiter?.rough([`feed ${groupOf(request)}`], FLOOD, services.clock());

  /** Answers from the cache, or makes it and notes what it shows. */
  async function answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<FastifyReply> {
    const { key, make, ...parts } = asked;
    const render = async () => {
      count(request);
      const tags = new Set<string>();
      return toCachedPage(await make({ ...systemCtx(services), shown: tags }), { ...parts, tags });
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
          return answer(request, reply, {
            key: `${path.replace(/:(\w+)/, (_, name) => request.params[name] ?? '')}/feed.${end}`,
            make: async (ctx) => Buffer.from(await makeFeed(ctx, scope, format)),
            headers: { 'content-type': feedTypes[format] },
          });
        },
      );
    }
  }
  feed('', () => ({}));
  feed('/essay/:slug', ({ slug = '' }) => ({ slug }));
  feed('/user/:id', ({ id = '' }) => {
    if (!/^[0-9a-f]{32}$/.test(id)) throw new CallError('NOT_FOUND');
    return { authorId: id };
  });

  app.get(`${basePath}/sitemap.xml`, (request, reply) =>
    answer(request, reply, {
      key: '/sitemap.xml',
      make: async (ctx) => Buffer.from(await makeSitemapIndex(ctx)),
      headers: { 'content-type': XML },
    }),
  );
  // Megabytes each: a crawler that asks for all of them must not push pages out of the cache.
  app.get<{ Params: { part: string } }>(`${basePath}/sitemap/:part.xml`, async (request, reply) => {
    count(request);
    const xml = await makeSitemapPart(systemCtx(services), request.params.part);
    const headers = { 'content-type': XML, 'cache-control': HOUR };
    return sendCachedPage(request, reply, toCachedPage(Buffer.from(xml), { headers, tags: new Set() }));
  });

  app.get(`${basePath}/robots.txt`, async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', HOUR)
      .send(
        [
          'User-agent: *',
          ...CLOSED.map((path) => `Disallow: ${basePath}${path}`),
          ...(siteUrl === null ? [] : ['', `Sitemap: ${siteUrl}/sitemap.xml`]),
          '',
        ].join('\n'),
      ),
  );

  app.get<{ Params: { name: string } }>(`${basePath}/og/:name.png`, (request, reply) =>
    answer(request, reply, {
      key: `/og/${request.params.name}.png`,
      make: async (ctx) => {
        const text = await getPictureText(ctx, request.params.name);
        // Others may be waiting for the same picture, so it is drawn even when this client has gone.
        const caller = { key: groupOf(request), signal: null };
        return inTurn(caller, () => drawPicture(caller, ink, text));
      },
      headers: { 'content-type': 'image/png', 'cache-control': DAY },
      packing: 'none',
    }),
  );
}
