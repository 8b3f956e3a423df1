import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the request timed out or its client disconnected before it was answered. */
    ended: AbortSignal;
  }
  interface FastifyContextConfig {
    /** How long the route may take, when not as long as the others. */
    timeoutMs?: number;
  }
}

/**
 * Answers requests that take too long. Fastify's own `handlerTimeout` and `request.signal` follow the `close` event of the
 * incoming message, which Node emits as soon as the body was read: from then on nothing would time out.
 */
export function requestTimeout(app: FastifyInstance, defaultMs: number): void {
  app.decorateRequest('ended');
  app.addHook('onRequest', (request, reply, done) => {
    const controller = new AbortController();
    request.ended = controller.signal;
    const timer = setTimeout(() => {
      // What is being sent may take long on a slow line; a line on which nothing moves is cut by `connectionTimeout`.
      if (reply.sent || reply.raw.headersSent) return;
      const error = new CallError('TIMEOUT');
      controller.abort(error);
      reply.send(error);
    }, request.routeOptions.config?.timeoutMs ?? defaultMs);
    reply.raw.once('finish', () => clearTimeout(timer));
    reply.raw.once('close', () => {
      clearTimeout(timer);
      if (!reply.raw.writableFinished) controller.abort(new CallError('TIMEOUT'));
    });
    done();
  });
}
