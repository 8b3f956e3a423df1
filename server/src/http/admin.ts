import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { screenAt } from '@mozhan/admin/screens.ts';
import { createClient, type Transport } from '@mozhan/contract/client.ts';
import { before, trimEnd } from '@mozhan/contract/scan.ts';
import { type Assets, devAssets, readManifest } from '@mozhan/web/document/assets.ts';
import { toDocument } from '@mozhan/web/document/document.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, plainAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import type { Limiter } from './limits.ts';

const adminRoot = join(import.meta.dirname, '../../../admin');

/** Where the back office's files come from: its build, or Vite while developing. */
export interface BackOffice {
  assets: (screenFile?: string) => Assets;
  /** Vite adds its client while developing. */
  finish: (url: string, html: string) => Promise<string>;
  /** Vite's own files while developing: true when it has answered. */
  serve?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
}

export async function builtAdmin(app: FastifyInstance, basePath: string): Promise<BackOffice> {
  await app.register(fastifyStatic, {
    root: join(adminRoot, 'dist/client/assets'),
    prefix: `${basePath}/admin/assets/`,
    decorateReply: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  });
  const manifest = JSON.parse(await readFile(join(adminRoot, 'dist/client/.vite/manifest.json'), 'utf8'));
  return { assets: readManifest(manifest, `${basePath}/admin`), finish: async (_url, html) => html };
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
  // Vite puts its base before them.
  const { entry, boot } = devAssets('')();
  return {
    assets: () => ({ entry, boot, css: ['/src/styles/base.css'], entryImports: [], preload: [] }),
    finish: (url, html) => vite.transformIndexHtml(url, html),
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
  /** Calls answered in this process, as for a visitor. */
  transport: Transport;
}

/** Documents that one address may ask for in a minute. */
const FLOOD = { max: 300, per: 60 };

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The back office: one document for all its addresses; what is shown there is decided in the browser. */
export function admin(
  app: FastifyInstance,
  { services, limiter, backOffice, transport }: AdminOptions,
): void {
  const { config, clock } = services;
  const root = `${config.basePath}/admin`;
  const api = createClient(transport);

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    limiter?.rough([`admin ${addressGroup(plainAddress(request.ip))}`], FLOOD, clock());
    const { settings } = await api('GET core/site/');
    const { title, logo, colorPrimary } = settings;
    // The components bring their styles by script, which only this document's nonce allows.
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
    const html = toDocument({
      assets: backOffice.assets(file),
      head: [
        `<title>${escapeText(title)}后台</title>`,
        '<meta name="robots" content="noindex">',
        `<meta property="csp-nonce" content="" nonce="${nonce}">`,
      ].join(''),
      body: '<div id="root"></div><noscript>后台需要浏览器运行本站的脚本。</noscript>',
      data: { basePath: config.basePath, title, logo, colorPrimary },
    });
    return reply
      .code(file === undefined ? 404 : 200)
      .headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
      .type('text/html; charset=utf-8')
      .send(await backOffice.finish(request.url, html));
  }

  app.get(root, async (request, reply) => {
    const path = before(request.url, '?');
    const query = request.url.slice(path.length);
    return path === root ? reply.redirect(`${root}/${query}`, 301) : send(request, reply, '/');
  });
  app.get(`${root}/*`, async (request, reply) => {
    const path = before(request.url, '?');
    const query = request.url.slice(path.length);
    if (path.endsWith('/')) return reply.redirect(trimEnd(path, '/') + query, 301);
    if ((await backOffice.serve?.(request, reply)) === true) return reply.hijack();
    return send(request, reply, path.slice(root.length));
  });
}
