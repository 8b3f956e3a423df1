import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { Transport } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { before, trimEnd } from '@mozhan/contract/scan.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { type Assets, devAssets, type Manifest, readManifest } from '@mozhan/web/document/assets.ts';
import type { Rendered, RenderRequest, toServiceWorker } from '@mozhan/web/entry-server.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, plainAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { readPreview } from '../modules/platform/settings/index.ts';
import { sendCachedPage, toCachedPage } from './cached-page.ts';
import type { Limiter } from './limits.ts';
import type { CachedPage } from './page-cache.ts';
import { isUnreadable } from './url.ts';

const webRoot = join(import.meta.dirname, '../../../web');

const DIAGRAM = 'src/diagram.ts';

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
  /** The address of the script that draws diagrams. */
  diagram?: string;
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
    // Diagrams are drawn by a document without an origin, for which every file is another site's.
    setHeaders: (reply) => {
      reply.header('access-control-allow-origin', '*');
    },
  });
  const manifest: Manifest = JSON.parse(
    await readFile(join(webRoot, 'dist/client/.vite/manifest.json'), 'utf8'),
  );
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
    diagram: `${basePath}/${manifest[DIAGRAM]?.file}`,
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
    // The frame that draws diagrams has no origin.
    server: { middlewareMode: true, hmr: { server: app.server }, cors: { origin: ['null'] } },
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
    diagram: `${basePath}/${DIAGRAM}`,
    finish: (url, html) => vite.transformIndexHtml(url, html),
  };
}

export interface PagesOptions {
  services: Services;
  limiter: Limiter | null;
  site: Site;
  transport: PageTransport;
}

/** Calls answered in this process, as for a visitor; collects what they show. */
export type PageTransport = (shown: Set<string>, preview?: Partial<SiteSettings>) => Transport;

/** Pages that one address may have rendered in a minute; those kept ready cost nothing and are not counted. */
const RENDER_FLOOD = { max: 300, per: 60 };

/** Not for addresses that a browser would take for another host once the slash is gone. */
const ONE_HOST = /^\/[^/\\]/;

/** One address for each page: what need not be escaped is not, and escapes are written in one way (RFC 3986, 6.2.2). */
function withoutNeedlessEscapes(url: string): string {
  const path = before(url, '?');
  const plain = path.replace(/%[0-9a-f]{2}/gi, (sequence) => {
    const character = String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : sequence.toUpperCase();
  });
  return plain + url.slice(path.length);
}

/** Steps up and down are taken (RFC 3986, 5.2.4), so that no two addresses are kept under one key. */
function withoutDots(url: string): string {
  const path = before(url, '?');
  return path.includes('/.') ? new URL(path, 'http://app').pathname + url.slice(path.length) : url;
}

/** Null when there is none to take away. */
function withoutTrailingSlash(url: string, basePath: string): string | null {
  const path = before(url, '?');
  const trimmed = trimEnd(path, '/');
  if (trimmed === path || trimmed === basePath || !ONE_HOST.test(trimmed)) return null;
  return trimmed + url.slice(path.length);
}

/** Every other GET address is a page: rendered for everyone alike, kept ready to send. */
export function pages(app: FastifyInstance, { services, limiter, site, transport }: PagesOptions): void {
  const { config, pages: cache, log } = services;
  const { basePath } = config;
  const siteUrl = config.siteUrl ?? '';

  async function render(
    renderer: Renderer,
    url: string,
    preview?: Partial<SiteSettings>,
  ): Promise<CachedPage> {
    const shown = new Set<string>();
    const rendered = await renderer.render({
      url,
      transport: transport(shown, preview),
      assets: site.assets,
      basePath,
      siteUrl,
      filesUrl: config.s3?.publicUrl ?? undefined,
      isPreview: preview !== undefined,
    });
    if (rendered.error !== undefined) log.error({ err: rendered.error, url }, 'page failed');
    const isAway = rendered.error instanceof CallError && rendered.error.status === 503;
    return toCachedPage(Buffer.from(await site.finish(url, rendered.html)), {
      status: isAway ? 503 : rendered.status,
      headers:
        rendered.redirect === undefined
          ? { 'content-type': 'text/html; charset=utf-8' }
          : { location: rendered.redirect },
      tags: shown,
    });
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.raw.url ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || (basePath !== '' && path !== basePath && !path.startsWith(`${basePath}/`))) {
      if (!isPage) reply.header('allow', 'GET, HEAD');
      return reply
        .code(isPage ? 404 : 405)
        .type('text/plain; charset=utf-8')
        .send(isPage ? '没有这个页面' : '不支持该请求方法');
    }
    const plain = withoutNeedlessEscapes(path);
    if (plain !== path && ONE_HOST.test(plain)) return reply.redirect(plain, 301);
    const settled = withoutDots(path);
    if (settled !== path && ONE_HOST.test(settled)) return reply.redirect(settled, 301);
    const trimmed = withoutTrailingSlash(path, basePath);
    if (trimmed !== null) return reply.redirect(trimmed, 301);
    const renderer = await site.load();
    const url = renderer.normalise(path.slice(basePath.length) || '/');
    const token = previewOf(path);
    const preview = token === null ? undefined : readPreview(services.secret, token, services.clock());
    const renderAnew = async () => {
      limiter?.rough([`page ${addressGroup(plainAddress(request.ip))}`], RENDER_FLOOD, services.clock());
      return render(renderer, url, preview ?? undefined);
    };
    if (preview === null) return reply.code(404).type('text/plain; charset=utf-8').send('预览已过期');
    if (preview !== undefined) return sendPreview(reply, await renderAnew());
    const page = await (config.dev ? renderAnew() : cache.get(url, renderAnew));
    return send(request, reply, isUnreadable(request.originalUrl) ? { ...page, status: 400 } : page);
  });
}

const previewOf = (path: string): string | null =>
  path.includes('preview=') ? new URLSearchParams(/\?.*$/s.exec(path)?.[0]).get('preview') : null;

/** For the frame in the back office that asked for it, and nobody else; no script takes it over. */
function sendPreview(reply: FastifyReply, { status, headers, content }: CachedPage): FastifyReply {
  const policy = reply.getHeader('content-security-policy');
  if (typeof policy === 'string') {
    reply.header(
      'content-security-policy',
      policy
        .replace("script-src 'self'", "script-src 'none'")
        .replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    );
  }
  return reply
    .code(status)
    .headers({ ...headers, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    .header('x-frame-options', 'SAMEORIGIN')
    .send(content);
}

async function send(request: FastifyRequest, reply: FastifyReply, page: CachedPage): Promise<FastifyReply> {
  if (page.headers.location === undefined) return sendCachedPage(request, reply, page);
  // What a page shows has another address, parameters and all, until it is moved again.
  if (page.status === 301) {
    const { location } = page.headers;
    return reply.code(301).header('location', location).header('cache-control', 'no-cache').send();
  }
  // Rendered without the parameters that change nothing here; where it leads they may.
  const query = /\?.*$/s.exec(request.raw.url ?? '')?.[0] ?? '';
  return reply
    .code(page.status)
    .header('location', page.headers.location.replace(/\?.*$/s, '') + query)
    .header('cache-control', 'public, max-age=300')
    .send();
}
