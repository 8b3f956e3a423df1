import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** `connect-src` names the WebSocket origin, because older browsers do not include it in 'self'. */
const contentPolicy = ({ siteUrl, s3 }: Pick<Config, 'siteUrl' | 's3'>): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${s3?.publicUrl ? new URL(s3.publicUrl).origin : ''}`.trim(),
    `connect-src 'self' ${siteUrl === null ? '' : new URL(siteUrl).origin.replace(/^http/, 'ws')}`.trim(),
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');

/** HSTS applies without subdomains, which may belong to others. */
const YEAR_SECONDS = 365 * 24 * 3600;

export function responseHeaders({ dev, siteUrl, s3 }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
    // On plain HTTP browsers warn about the first and ignore the second.
    ...(siteUrl?.startsWith('https:')
      ? {
          'cross-origin-opener-policy': 'same-origin',
          'strict-transport-security': `max-age=${YEAR_SECONDS}`,
        }
      : {}),
    // In development Vite needs inline scripts and styles.
    ...(dev ? {} : { 'content-security-policy': contentPolicy({ siteUrl, s3 }) }),
  };
}

export function registerSecurityHeaders(
  app: FastifyInstance,
  config: Config,
  isClosedToSearchEngines: () => boolean,
): void {
  const headers = responseHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    // In the header, because it also applies to pictures and feeds.
    if (isClosedToSearchEngines()) reply.header('x-robots-tag', 'noindex');
    done();
  });
}
