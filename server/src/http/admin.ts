import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screenAt } from '@mozhan/admin/screens.ts';
import { createClient, type Transport } from '@mozhan/contract/client.ts';
import { textBefore, trimEnd } from '@mozhan/contract/text-scan.ts';
import { type Assets, devAssets, readManifest } from '@mozhan/web/document/assets.ts';
import { renderDocument } from '@mozhan/web/document/document.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, normalizeAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { serveAssets } from './assets.ts';
import type { Limiter } from './limits.ts';

const adminRoot = join(import.meta.dirname, '../../../admin');

export interface BackOffice {
  assets: (screenFile?: string) => Assets;
  /** Lets Vite inject its client in development. */
  transformHtml: (url: string, html: string) => Promise<string>;
  /** Lets Vite serve its files in development; resolves to true if it has responded. */
  serve?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
}

export async function builtAdmin(app: FastifyInstance, basePath: string): Promise<BackOffice> {
  await serveAssets(app, {
    folder: join(adminRoot, 'dist/client/assets'),
    prefix: `${basePath}/admin/assets/`,
  });
  const manifest = JSON.parse(await readFile(join(adminRoot, 'dist/client/.vite/manifest.json'), 'utf8'));
  return { assets: readManifest(manifest, `${basePath}/admin`), transformHtml: async (_url, html) => html };
}

export async function viteAdmin(app: FastifyInstance, basePath: string): Promise<BackOffice> {
  const { createServer } = await import('vite');
  const vite = await createServer({
    root: adminRoot,
    base: `${basePath}/admin/`,
    configLoader: 'native',
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  app.addHook('onClose', () => vite.close());
  // Vite adds the base path itself.
  const { entry, boot } = devAssets('')();
  return {
    assets: () => ({ entry, boot, css: ['/src/styles/base.css'], entryImports: [], preload: [] }),
    transformHtml: (url, html) => vite.transformIndexHtml(url, html),
    serve: (request, reply) =>
      new Promise((resolve, reject) => {
        reply.raw.once('finish', () => resolve(true));
        vite.middlewares(request.raw, reply.raw, (error?: Error) => (error ? reject(error) : resolve(false)));
      }),
  };
}

export interface AdminOptions {
  services: Services;
  limiter: Limiter | null;
  backOffice: BackOffice;
  transport: Transport;
}

const RATE_LIMIT = { max: 300, per: 60 };

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Serves one document for all URLs of the back office; routing happens in the browser. */
export function registerAdmin(
  app: FastifyInstance,
  { services, limiter, backOffice, transport }: AdminOptions,
): void {
  const { config, clock } = services;
  const root = `${config.basePath}/admin`;
  const api = createClient(transport);

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    limiter?.checkApproximate([`admin ${addressGroup(normalizeAddress(request.ip))}`], RATE_LIMIT, clock());
    const { settings, switches } = await api('GET core/site/');
    const { title, logo, colorPrimary } = settings;
    // Components insert styles by script, which the content security policy allows only with this nonce.
    const nonce = randomBytes(16).toString('base64url');
    const policy = reply.getHeader('content-security-policy');
    if (typeof policy === 'string') {
      reply.header(
        'content-security-policy',
        policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`),
      );
    }
    const screen = screenAt(path);
    const file = screen && `src/screens/${screen}.tsx`;
    const html = renderDocument({
      assets: backOffice.assets(file),
      head: [
        `<title>${escapeText(title)}后台</title>`,
        '<meta name="robots" content="noindex">',
        `<meta property="csp-nonce" content="" nonce="${nonce}">`,
      ].join(''),
      body: '<div id="root"></div><noscript>后台需要启用 JavaScript。</noscript>',
      data: {
        basePath: config.basePath,
        title,
        logo,
        colorPrimary,
        isInMaintenance: switches.maintenance,
      },
    });
    return reply
      .code(file === undefined ? 404 : 200)
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(await backOffice.transformHtml(request.url, html));
  }

  app.get(root, async (request, reply) => {
    const path = textBefore(request.url, '?');
    const query = request.url.slice(path.length);
    return path === root ? reply.redirect(`${root}/${query}`, 301) : send(request, reply, '/');
  });
  app.get(`${root}/*`, async (request, reply) => {
    const path = textBefore(request.url, '?');
    const query = request.url.slice(path.length);
    if (path.endsWith('/')) return reply.redirect(trimEnd(path, '/') + query, 301);
    if ((await backOffice.serve?.(request, reply)) === true) return reply.hijack();
    return send(request, reply, path.slice(root.length));
  });
}
