import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Transport } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import { textBefore, trimEnd } from '@mozhan/contract/text-scan.ts';
import { type Assets, devAssets, type Manifest, readManifest } from '@mozhan/web/document/assets.ts';
import type { RenderRequest, RenderResult, toServiceWorker } from '@mozhan/web/entry-server.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, normalizeAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { parsePreviewToken } from '../modules/platform/settings/index.ts';
import { serveAssets } from './assets.ts';
import { HTML_TYPE, sendCachedPage, toCachedPage } from './cached-page.ts';
import type { Limiter } from './limits.ts';
import type { CachedPage } from './page-cache.ts';
import { isMalformedUrl } from './url.ts';

const webRoot = join(import.meta.dirname, '../../../web');

const DIAGRAM = 'src/diagram.ts';

interface Renderer {
  render: (request: RenderRequest) => Promise<RenderResult>;
  normalizeUrl: (url: string) => string;
  routeKindOf: (pathname: string) => 'fixed' | 'variable' | null;
}

/** Where old addresses lead, and which addresses were not found. Paths are without the base path. */
export interface Redirects {
  /** An address to go to, or a page of this site to answer with; `beforeQuery` may refuse to ask the database. */
  find: (
    pathname: string,
    search: string,
    beforeQuery: () => void,
  ) => Promise<{ location: string } | { page: string } | null>;
  countMissing: (pathname: string, search: string) => void;
}

/** The source of rendered pages: the built site, or Vite in development. */
export interface Site {
  loadRenderer: () => Promise<Renderer>;
  assets: (pageFile?: string) => Assets;
  /** Lets Vite inject its client; only in development. */
  transformHtml?: (url: string, html: string) => Promise<string>;
  /** Returns the service worker script; undefined in development. */
  createServiceWorker?: (settings: SiteSettings) => string;
  diagram?: string;
}

export async function builtSite(app: FastifyInstance, basePath: string): Promise<Site> {
  await serveAssets(app, {
    folder: join(webRoot, 'dist/client/assets'),
    prefix: `${basePath}/assets/`,
    // The sandboxed diagram document has an opaque origin, so its requests are cross-origin.
    headers: { 'access-control-allow-origin': '*' },
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
    loadRenderer: async () => renderer,
    assets,
    createServiceWorker: (settings) => renderer.toServiceWorker({ source, settings, assets, basePath }),
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
    // The sandboxed diagram document has an opaque origin.
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
    loadRenderer: async () => (await vite.ssrLoadModule('/src/entry-server.tsx')) as Renderer,
    assets: devAssets(basePath),
    diagram: `${basePath}/${DIAGRAM}`,
    transformHtml: (url, html) => vite.transformIndexHtml(url, html),
  };
}

export interface PagesOptions {
  services: Services;
  limiter: Limiter | null;
  site: Site;
  transport: PageTransport;
  redirects: Redirects;
  /** Called for every page that is sent. */
  onPage: (request: IncomingMessage) => void;
  /** Finds a file in the root that is not a page, by its path. */
  findRootFile: (path: string) => { type: string; content: string } | null;
}

/** Runs API calls in this process with the permissions of a visitor and collects their cache tags. */
export type PageTransport = (pageTags: Set<string>, preview?: Partial<SiteSettings>) => Transport;

/** Pages rendered per minute and address; cached pages are not counted. */
const RENDER_RATE_LIMIT = { max: 300, per: 60 };

/** Excludes paths such as `//host` that a browser would take for another host. */
const SAME_HOST_PATH = /^\/[^/\\]/;

/** Normalizes percent-encoding (RFC 3986, 6.2.2), so that each page has one URL. */
function normalizeEscapes(url: string): string {
  const path = textBefore(url, '?');
  const normalized = path.replace(/%[0-9a-f]{2}/gi, (sequence) => {
    const character = String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : sequence.toUpperCase();
  });
  return normalized + url.slice(path.length);
}

/** Resolves dot segments (RFC 3986, 5.2.4), so that each page has one URL. */
function resolveDotSegments(url: string): string {
  const path = textBefore(url, '?');
  return path.includes('/.') ? new URL(path, 'http://app').pathname + url.slice(path.length) : url;
}

function withoutTrailingSlash(url: string, basePath: string): string | null {
  const path = textBefore(url, '?');
  const trimmed = trimEnd(path, '/');
  if (trimmed === path || trimmed === basePath || !SAME_HOST_PATH.test(trimmed)) return null;
  return trimmed + url.slice(path.length);
}

/** Serves every other GET URL as a page, rendered for visitors and cached. */
export function registerPages(
  app: FastifyInstance,
  { services, limiter, site, transport, redirects, onPage, findRootFile }: PagesOptions,
): void {
  const { config, pages: cache, log } = services;
  const { basePath } = config;
  const siteUrl = config.siteUrl ?? '';

  async function render(
    renderer: Renderer,
    url: string,
    preview?: Partial<SiteSettings>,
  ): Promise<CachedPage> {
    const pageTags = new Set<string>();
    const rendered = await renderer.render({
      url,
      transport: transport(pageTags, preview),
      assets: site.assets,
      basePath,
      siteUrl,
      filesUrl: config.s3?.publicUrl ?? undefined,
      isPreview: preview !== undefined,
    });
    if (rendered.error !== undefined) log.error({ err: rendered.error, url }, 'page failed');
    const isUnavailable = rendered.error instanceof CallError && rendered.error.status === 503;
    const { buffer, byteLength } = rendered.html;
    const html = Buffer.from(buffer, 0, byteLength);
    const content =
      site.transformHtml === undefined ? html : Buffer.from(await site.transformHtml(url, html.toString()));
    return toCachedPage(content, {
      status: isUnavailable ? 503 : rendered.status,
      headers:
        rendered.redirect === undefined ? { 'content-type': HTML_TYPE } : { location: rendered.redirect },
      tags: pageTags,
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
    const renderer = await site.loadRenderer();
    let isCounted = false;
    const countRequest = () => {
      if (isCounted) return;
      isCounted = true;
      limiter?.checkApproximate(
        [`page ${addressGroup(normalizeAddress(request.ip))}`],
        RENDER_RATE_LIMIT,
        services.clock(),
      );
    };
    const renderLimited = async (url: string, preview?: Partial<SiteSettings>) => {
      countRequest();
      return render(renderer, url, preview);
    };
    const getPage = (url: string) =>
      config.dev ? renderLimited(url) : cache.get(url, () => renderLimited(url));
    const [pathname, search] = splitQuery(path.slice(basePath.length) || '/');
    const normalPath = trimEnd(resolveDotSegments(normalizeEscapes(pathname)), '/') || '/';
    /** Answers with the redirect of this address; null if it has none. */
    const tryRedirect = async (): Promise<FastifyReply | null> => {
      const redirect = await redirects.find(normalPath, search, countRequest);
      if (redirect === null) return null;
      if ('page' in redirect) return send(request, reply, await getPage(redirect.page));
      return reply.code(301).header('location', redirect.location).header('cache-control', 'no-cache').send();
    };
    const hasRoute = renderer.routeKindOf(normalPath) !== null;
    const file = hasRoute ? null : findRootFile(normalPath);
    if (file !== null)
      return reply
        .type(file.type)
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'; sandbox" })
        .send(file.content);
    // Many programs name a page by the parameters of the root, such as `/?p=12`.
    const redirected = !hasRoute || (normalPath === '/' && search !== '') ? await tryRedirect() : null;
    if (redirected !== null) return redirected;
    const normalized = normalizeEscapes(path);
    if (normalized !== path && SAME_HOST_PATH.test(normalized)) return reply.redirect(normalized, 301);
    const resolved = resolveDotSegments(path);
    if (resolved !== path && SAME_HOST_PATH.test(resolved)) return reply.redirect(resolved, 301);
    const trimmed = withoutTrailingSlash(path, basePath);
    if (trimmed !== null) return reply.redirect(trimmed, 301);
    const url = renderer.normalizeUrl(path.slice(basePath.length) || '/');
    const token = previewOf(path);
    const preview = token === null ? undefined : parsePreviewToken(services.secret, token, services.clock());
    if (preview === null) return reply.code(404).type('text/plain; charset=utf-8').send('预览已过期');
    if (preview !== undefined) return sendPreview(reply, await renderLimited(url, preview));
    const page = await getPage(url);
    if (page.status === 404) {
      const answer = hasRoute ? await tryRedirect() : null;
      if (answer !== null) return answer;
      if (request.method === 'GET') redirects.countMissing(normalPath, search);
    }
    if (page.status === 200 && request.method === 'GET') onPage(request.raw);
    return send(request, reply, isMalformedUrl(request.originalUrl) ? { ...page, status: 400 } : page);
  });
}

function splitQuery(url: string): [path: string, search: string] {
  const path = textBefore(url, '?');
  return [path, url.slice(path.length)];
}

const previewOf = (path: string): string | null =>
  path.includes('preview=') ? new URLSearchParams(/\?.*$/s.exec(path)?.[0]).get('preview') : null;

/** Sends a preview without scripts, which only the back office may frame. */
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
  // The page was rendered without unknown parameters, but the redirect target may use them.
  const query = /\?.*$/s.exec(request.raw.url ?? '')?.[0] ?? '';
  if (page.status === 301) {
    const { location } = page.headers;
    // A location with parameters contains all that apply.
    const target = location.includes('?') ? location : location + query;
    return reply.code(301).header('location', target).header('cache-control', 'no-cache').send();
  }
  return reply
    .code(page.status)
    .header('location', page.headers.location.replace(/\?.*$/s, '') + query)
    .header('cache-control', 'public, max-age=300')
    .send();
}
