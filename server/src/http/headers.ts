import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

const CSP = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ');

/** On every response. While developing, Vite needs inline scripts and styles. */
export function securityHeaders(app: FastifyInstance, { dev, siteUrl }: Config): void {
  const headers: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
    // Browsers complain of it on plain HTTP.
    ...(siteUrl?.startsWith('https:') ? { 'cross-origin-opener-policy': 'same-origin' } : {}),
    ...(dev ? {} : { 'content-security-policy': CSP }),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    done();
  });
}
