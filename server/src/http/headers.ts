import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** Live connections go to the site itself, which older browsers do not count as 'self'. */
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

/** In seconds. Without subdomains, which may be somebody else's. */
const YEAR = 365 * 24 * 3600;

export function responseHeaders({ dev, siteUrl, s3 }: Config): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
    // Browsers complain of the one on plain HTTP, and pass over the other.
    ...(siteUrl?.startsWith('https:')
      ? { 'cross-origin-opener-policy': 'same-origin', 'strict-transport-security': `max-age=${YEAR}` }
      : {}),
    // While developing, Vite needs inline scripts and styles.
    ...(dev ? {} : { 'content-security-policy': contentPolicy({ siteUrl, s3 }) }),
  };
}

/** On every response. */
export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers = responseHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}
