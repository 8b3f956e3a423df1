import { CallError } from '@mozhan/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { addressGroup, normalizeAddress } from '../../../address.ts';
import { toCallError } from '../../../http/errors.ts';
import { systemCtx } from '../../../jobs.ts';
import type { ServeOptions } from '../../../module.ts';
import { settlePayment } from './actions/settle.ts';
import type { Provider, ProviderName } from './providers/provider.ts';

/** Per IP address; providers call from few addresses. */
const CALLBACK_LIMIT = { max: 600, per: 60 };
const MAX_BYTES = 64 * 1024;

/** Endpoint for payment callbacks of providers, authenticated by their signature only. */
export async function servePaymentCallbacks(server: FastifyInstance, options: ServeOptions): Promise<void> {
  await server.register(registerCallbacks, {
    prefix: `${options.services.config.basePath}/api/core/fina/notify`,
    ...options,
  });
}

async function registerCallbacks(app: FastifyInstance, { services, limiter }: ServeOptions): Promise<void> {
  // Signatures cover the raw body.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  // An error must not look like success, or the provider would not repeat the callback.
  app.setErrorHandler((thrown, request, reply) => {
    const error = toCallError(thrown);
    const { provider } = request.params as { provider: string };
    // Other names are not counted, because anybody could add series without limit.
    if (Object.hasOwn(services.providers, provider)) services.metrics.countCallback(provider, 'refused');
    request.log.warn({ code: error.code, reason: error.message, url: request.url }, 'callback refused');
    const status = error.status < 400 ? 500 : error.status;
    return reply.code(status).send({ code: 'FAIL', message: error.message });
  });

  app.addHook('onRequest', async (request) => {
    limiter?.checkApproximate(
      [`notify ${addressGroup(normalizeAddress(request.ip))}`],
      CALLBACK_LIMIT,
      services.clock(),
    );
  });
  app.post<{ Params: { provider: string } }>('/:provider', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const name = request.params.provider as ProviderName;
    const provider: Provider | undefined = Object.hasOwn(services.providers, name)
      ? services.providers[name]
      : undefined;
    if (provider === undefined) throw new CallError('NOT_FOUND');
    const body = typeof request.body === 'string' ? request.body : '';
    const { payment, reply: response } = await provider.parseCallback({ headers: request.headers, body });
    if (payment !== null) await settlePayment(systemCtx(services), name, payment);
    services.metrics.countCallback(name, 'accepted');
    return reply.code(response.status).type(response.type).send(response.body);
  });
}
