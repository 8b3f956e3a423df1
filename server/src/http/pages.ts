import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transport } from '#contract/client.ts';
import { CallError } from '#contract/errors.ts';
import type { SiteSettings } from '#contract/site.ts';
import { type Assets, devAssets, readManifest } from '#web/assets.ts';
import type { Rendered, RenderRequest, toServiceWorker } from '#web/entry-server.tsx';
import { markSvg } from '#web/ui/mark.ts';
import type { Services } from '../ctx.ts';
import { addressGroup, plainAddress } from './asker.ts';
import type { Limiter } from './limits.ts';
import type { CachedPage } from './page-cache.ts';

const webRoot = join(import.meta.dirname, '../../../web');
const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Renderer {
  render: (request: RenderRequest) => Promise<Rendered>;
  normalise: (url: string) => string;
}

/** Where rendered pages come from: the built site, or Vite while developing. */
export interface Site {
  load: () => Promise<Renderer>;
  assets: (pageFile?: string) => Assets;
  /** Vite adds its client while developing. */
  finish: (url: string, html: string) => Promise<string>;
  /** The text of the service worker; none while developing. */
  worker?: (settings: SiteSettings) => string;
}

export async function builtSite(app: FastifyInstance, basePath: string): Promise<Site> {
  await app.register(fastifyStatic, {
    root: join(webRoot, 'dist/client/assets'),
    prefix: `${basePath}/assets/`,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  const manifest = JSON.parse(await readFile(join(webRoot, 'dist/client/.vite/manifest.json'), 'utf8'));
  const renderer = (await import(join(webRoot, 'dist/server/entry-server.js'))) as Renderer & {
    toServiceWorker: typeof toServiceWorker;
  };
  const assets = readManifest(manifest, basePath);
  const source = await readFile(join(webRoot, 'dist/client/service-worker.js'), 'utf8');
  return {
    load: async () => renderer,
    assets,
    finish: async (_url, html) => html,
    worker: (settings) => renderer.toServiceWorker({ source, settings, assets, basePath }),
  };
}

export async function viteSite(app: FastifyInstance, basePath: string): Promise<Site> {
  const [{ createServer }, { default: middie }] = await Promise.all([
    import('vite'),
    import('@fastify/middie'),
  ]);
  const vite = await createServer({
    root: webRoot,
    base: `${basePath}/`,
    configLoader: 'native',
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  await app.register(middie);
  app.use((request, response, next) => {
    const path = request.url?.slice(basePath.length) ?? '';
    if (/^\/(api|admin)\//.test(path)) next();
    else vite.middlewares(request, response, next);
  });
  app.addHook('onClose', () => vite.close());
  return {
    load: async () => (await vite.ssrLoadModule('/src/entry-server.tsx')) as Renderer,
    assets: devAssets(basePath),
    finish: (url, html) => vite.transformIndexHtml(url, html),
  };
}

export interface PagesOptions {
  services: Services;
  limiter: Limiter | null;
  site: Site;
  /** Calls answered in this process, as for a visitor; collects what they show. */
  transport: (shown: Set<string>) => Transport;
}

/** Pages that one address may have rendered in a minute; those kept ready cost nothing and are not counted. */
const RENDER_FLOOD = { max: 300, per: 60 };

/** Not for addresses that a browser would take for another host once the slash is gone. */
const TRAILING_SLASH = /^(\/[^/\\?][^?]*?)\/+(\?.*)?$/;

/** Every other GET address is a page: rendered for everyone alike, kept ready to send. */
export function pages(app: FastifyInstance, { services, limiter, site, transport }: PagesOptions): void {
  const { config, pages: cache, log } = services;
  const { basePath } = config;
  const siteUrl = config.siteUrl ?? '';

  async function render(renderer: Renderer, url: string): Promise<CachedPage> {
    const shown = new Set<string>();
    const rendered = await renderer.render({
      url,
      transport: transport(shown),
      assets: site.assets,
      basePath,
      siteUrl,
    });
    if (rendered.error !== undefined) log.error({ err: rendered.error, url }, 'page failed');
    const headers: Record<string, string> =
      rendered.redirect === undefined ? {} : { location: rendered.redirect };
    const html = Buffer.from(await site.finish(url, rendered.html));
    const [gz, br] = await Promise.all([
      compressGzip(html, { level: 9 }),
      compressBr(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    ]);
    const isAway = rendered.error instanceof CallError && rendered.error.status === 503;
    return {
      status: isAway ? 503 : rendered.status,
      etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`,
      headers,
      body: { identity: html, gzip: gz, br },
      tags: shown,
      renderedAt: Date.now(),
    };
  }

  // What browsers and feed readers ask for by themselves, whatever a page says.
  app.get(`${basePath}/favicon.ico`, async (_request, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(markSvg),
  );

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.raw.url ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || (basePath !== '' && path !== basePath && !path.startsWith(`${basePath}/`))) {
      return reply
        .code(isPage ? 404 : 405)
        .type('text/plain; charset=utf-8')
        .send(isPage ? '没有这个页面' : '不支持该请求方法');
    }
    const [, trimmed, query = ''] = TRAILING_SLASH.exec(path) ?? [];
    if (trimmed !== undefined && trimmed !== basePath) return reply.redirect(trimmed + query, 301);
    const renderer = await site.load();
    const url = renderer.normalise(path.slice(basePath.length) || '/');
    const renderAnew = async () => {
      limiter?.rough([`page ${addressGroup(plainAddress(request.ip))}`], RENDER_FLOOD, services.clock());
      return render(renderer, url);
    };
    const page = await (config.dev ? renderAnew() : cache.get(url, renderAnew));
    return send(request, reply, page);
  });
}

function send(request: FastifyRequest, reply: FastifyReply, page: CachedPage): FastifyReply {
  reply.code(page.status).headers(page.headers);
  if (page.headers.location !== undefined) {
    // Rendered without the parameters that change nothing here; where it leads they may.
    const query = /\?.*$/s.exec(request.raw.url ?? '')?.[0] ?? '';
    return reply
      .header('location', page.headers.location.replace(/\?.*$/s, '') + query)
      .header('cache-control', 'public, max-age=300')
      .send();
  }
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('vary', 'accept-encoding')
    .header('cache-control', page.status === 200 ? 'public, max-age=0, s-maxage=60' : 'no-store');
  if (page.status === 200) {
    reply.header('etag', page.etag);
    // A proxy that packs pages itself marks the tag as weak; a browser may send several.
    if (request.headers['if-none-match']?.includes(page.etag)) return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = accepts(accepted, 'br') ? 'br' : accepts(accepted, 'gzip') ? 'gzip' : 'identity';
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(page.body[encoding]);
}

/** Named, and not with a weight of nothing. */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
