import type { FastifyInstance } from 'fastify';
import { CallError } from '#contract/errors.ts';

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
      if (reply.sent) return;
      const error = new CallError('TIMEOUT');
      controller.abort(error);
      if (reply.raw.headersSent) reply.raw.destroy(error);
      else reply.send(error);
    }, request.routeOptions.config?.timeoutMs ?? defaultMs);
    reply.raw.once('finish', () => clearTimeout(timer));
    reply.raw.once('close', () => {
      clearTimeout(timer);
      if (!reply.raw.writableFinished) controller.abort(new CallError('TIMEOUT'));
    });
    done();
  });
}
