import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { addressGroup, plainAddress } from '../../../address.ts';
import { toCallError } from '../../../http/errors.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { settlePayment } from './actions/settle.ts';
import type { Provider, ProviderName } from './providers/provider.ts';

/** Of one address: a provider calls from few. */
const FLOOD = { max: 600, per: 60 };
const MAX_BYTES = 64 * 1024;

/** Where providers tell us of payments, in their own words: who signed it is all that counts. */
export async function servePaymentCallbacks(server: FastifyInstance, options: ServeOptions): Promise<void> {
  await server.register(callbacks, {
    prefix: `${options.services.config.basePath}/api/core/fina/notify`,
    ...options,
  });
}

async function callbacks(app: FastifyInstance, { services, limiter }: ServeOptions): Promise<void> {
  // Signatures are over what was sent, whatever it is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  // Whatever is not understood must not look like an answer that ends the calling.
  app.setErrorHandler((thrown, request, reply) => {
    const error = toCallError(thrown);
    request.log.warn({ code: error.code, reason: error.message, url: request.url }, 'callback refused');
    const status = error.status < 400 ? 500 : error.status;
    return reply.code(status).send({ code: 'FAIL', message: error.message });
  });

  app.addHook('onRequest', async (request) => {
    limiter?.rough([`notify ${addressGroup(plainAddress(request.ip))}`], FLOOD, services.clock());
  });
  app.post<{ Params: { provider: string } }>('/:provider', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const name = request.params.provider as ProviderName;
    const provider: Provider | undefined = Object.hasOwn(services.providers, name)
      ? services.providers[name]
      : undefined;
    if (provider === undefined) throw new CallError('NOT_FOUND');
    const body = typeof request.body === 'string' ? request.body : '';
    const { payment, reply: answer } = await provider.read({ headers: request.headers, body });
    if (payment !== null) await settlePayment(systemCtx(services), name, payment);
    return reply.code(answer.status).type(answer.type).send(answer.body);
  });
}
