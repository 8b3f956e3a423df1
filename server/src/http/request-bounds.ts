import type { IncomingMessage } from 'node:http';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

/** Longer than any URL of the site and its API. */
const MAX_URL_LENGTH = 8192;
/** Limits for reading the rest of a rejected body before the connection is closed. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

const isBodyIncomplete = ({ complete, headers }: IncomingMessage): boolean =>
  // Injected requests of tests have no `complete` flag and are always complete.
  complete === false &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Reads and discards the rest of a body; resolves when the body or the connection ends. */
function discardRest(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const close = () => {
    resolve();
    // The response that waits for this promise is written first.
    setImmediate(() => request.socket.destroySoon());
  };
  const timer = setTimeout(close, MAX_DISCARDING_MS);
  let bytes = 0;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) close();
  });
  for (const event of ['end', 'close', 'error'])
    request.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
  request.resume();
  return promise;
}

/**
 * Rejects URLs that are too long, and reads the rest of rejected bodies: a connection closed with unread bytes is reset, and
 * browsers then display a connection error instead of the response.
 */
export function registerRequestBounds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done((request.raw.url?.length ?? 0) > MAX_URL_LENGTH ? new CallError('ADDRESS_TOO_LONG') : undefined);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!isBodyIncomplete(request.raw)) {
      done();
      return;
    }
    const discarded = discardRest(request.raw);
    // Fastify closes the connection after a rejected body, which is not necessary once the rest has been read.
    reply.removeHeader('connection');
    if (reply.raw.shouldKeepAlive) done();
    else discarded.then(() => done());
  });
}
