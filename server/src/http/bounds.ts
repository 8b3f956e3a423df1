import type { IncomingMessage } from 'node:http';
import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';

/** In characters. Longer than any address of the site, its calls included. */
const LONGEST_URL = 8192;
/** What is still read of a body that nobody wants, before the connection is cut. */
const MAX_DISCARDED = 8 * 1024 * 1024;
const MAX_DISCARDING_MS = 10_000;

const isUnderWay = ({ complete, headers }: IncomingMessage): boolean =>
  // Requests made in tests know of no completeness: they have arrived.
  complete === false &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** Reads the rest of a body for nothing; resolves when it is over, or the connection is. */
function discardRest(request: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cut = () => {
    resolve();
    // Whoever waits for the end of it writes the response first.
    setImmediate(() => request.socket.destroySoon());
  };
  const timer = setTimeout(cut, MAX_DISCARDING_MS);
  let bytes = 0;
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED) cut();
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
 * Refuses addresses that are too long. Whoever is refused while still sending can read the answer: a connection that
 * is closed with unread bytes is reset, and browsers then show a broken connection in place of the answer.
 */
export function bounds(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    done((request.raw.url?.length ?? 0) > LONGEST_URL ? new CallError('ADDRESS_TOO_LONG') : undefined);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!isUnderWay(request.raw)) {
      done();
      return;
    }
    const discarded = discardRest(request.raw);
    // Fastify closes the connection after a body it could not read; once the rest is gone, there is no need to.
    reply.removeHeader('connection');
    if (reply.raw.shouldKeepAlive) done();
    else discarded.then(() => done());
  });
}
