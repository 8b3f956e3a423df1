import type { FastifyInstance } from 'fastify';
import type { Site } from './pages.ts';

/** Allows only the drawing script and its inline styles, and framing by this site. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  // Applies also when the document is opened outside a frame.
  'sandbox allow-scripts',
].join('; ');

const toHtml = (script: string): string =>
  [
    '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>图表</title>',
    '<style>html{color-scheme:light dark;font-family:"PingFang SC","Noto Sans SC","Microsoft YaHei",system-ui,sans-serif}',
    'html[data-theme=light]{color-scheme:light}html[data-theme=dark]{color-scheme:dark}',
    'body{margin:0;background:none}svg{display:block;max-width:100%;height:100vh;margin-inline:auto}</style>',
    `<script type="module" src="${script}" crossorigin></script></head><body></body></html>`,
  ].join('');

export function registerDiagram(app: FastifyInstance, basePath: string, { diagram: script }: Site): void {
  if (script === undefined) return;
  app.get(`${basePath}/diagram.html`, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': POLICY,
        'x-frame-options': 'SAMEORIGIN',
        'cache-control': 'public, max-age=300',
      })
      .send(toHtml(script)),
  );
}
