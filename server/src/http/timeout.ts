import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Aborted when the request times out or the client disconnects before the response. */
    ended: AbortSignal;
  }
  interface FastifyContextConfig {
    timeoutMs?: number;
  }
}

/**
 * Responds to requests that take too long. Fastify's `handlerTimeout` and `request.signal` use the `close` event of the
 * incoming message, which Node emits when the body has been read, so they would not time out after that.
 */
export function registerRequestTimeout(app: FastifyInstance, defaultMs: number): void {
  app.decorateRequest('ended');
  app.addHook('onRequest', (request, reply, done) => {
    const controller = new AbortController();
    request.ended = controller.signal;
    const timer = setTimeout(() => {
      // Sending a response may take long; idle connections have a timeout of their own.
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
