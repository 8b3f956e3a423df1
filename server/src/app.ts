import { createServer, type RequestListener, type Server } from 'node:http';
import type { TransportRequest } from '@mozhan/contract/client.ts';
import { MAX_BODY, nameOf } from '@mozhan/contract/define.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import * as ink from '@mozhan/web/lib/ink.ts';
import { mark, markSvg } from '@mozhan/web/ui/mark.ts';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import { createGroupOf } from './address.ts';
import type { Config } from './config/config.ts';
import type { Ctx, Services, Viewer } from './ctx.ts';
import { createDb, createLookupPool, createPool, createSearchPool } from './db/client.ts';
import { fromDatabase } from './db/errors.ts';
import { newId } from './db/id.ts';
import { openFiles } from './files/open.ts';
import { admin, type BackOffice } from './http/admin.ts';
import { answer } from './http/answer.ts';
import { ADDRESS_FLOOD, api, sendError } from './http/api.ts';
import { bounds } from './http/bounds.ts';
import { diagram } from './http/diagram.ts';
import { docs } from './http/docs.ts';
import { answerUnreadable, isBadRange, toCallError } from './http/errors.ts';
import { responseHeaders, securityHeaders } from './http/headers.ts';
import * as httpJobs from './http/jobs.ts';
import { createLimiter } from './http/limits.ts';
import { metrics } from './http/metrics.ts';
import { createPageCache } from './http/page-cache.ts';
import { listenForPages } from './http/page-events.ts';
import { type PageTransport, pages, type Site } from './http/pages.ts';
import { pressure } from './http/pressure.ts';
import { readyAnswers } from './http/ready-answers.ts';
import type { Binding } from './http/route.ts';
import { serviceWorker } from './http/service-worker.ts';
import { requestTimeout } from './http/timeout.ts';
import { readableUrl } from './http/url.ts';
import { type Jobs, startJobs, systemCtx } from './jobs.ts';
import { openAdapter } from './live/adapter.ts';
import { createLive } from './live/live.ts';
import { loggedError } from './log.ts';
import { createSessionFinder, createTokenFinder, pushUnread } from './modules/accounts/users/index.ts';
import { modules } from './modules/all.ts';
import { mayHear, pushTalks } from './modules/messaging/chats/index.ts';
import { findMembership } from './modules/payments/members/index.ts';
import { createProviders } from './modules/payments/orders/index.ts';
import { createMailer, createSmsSender } from './modules/platform/mail-sms/index.ts';
import { getSecret } from './modules/platform/settings/index.ts';
import { openEncryption } from './secrets/secrets.ts';

const bindings: Binding[] = modules.flatMap(({ routes = [] }) => routes);
const jobs: Jobs = Object.assign({}, httpJobs.jobs, ...modules.map((module) => module.jobs));
const longJobs: Jobs = Object.assign({}, ...modules.map((module) => module.longJobs));
const schedule: Record<string, string> = Object.assign(
  {},
  httpJobs.schedule,
  ...modules.map((module) => module.schedule),
);
/** A module erases before the modules that it builds on. */
async function erase(ctx: Ctx, user: Viewer): Promise<void> {
  for (const module of modules.toReversed()) await module.erase?.(ctx, user);
}

export interface AppOptions {
  config: Config;
  /** Of a migrated database. */
  connection: pg.PoolConfig;
  /** Makes the reader's site once the server exists; none: the calls only. */
  site?: (app: FastifyInstance) => Promise<Site>;
  /** Likewise the back office. */
  backOffice?: (app: FastifyInstance) => Promise<BackOffice>;
  clock?: () => Date;
  /** Where the log goes instead of standard output. */
  logStream?: { write: (line: string) => void };
  /** A command leaves jobs to the server. */
  runsJobs?: boolean;
  /** False in tests: jobs start only when a test starts them, not by the clock. */
  runsSchedule?: boolean;
  /** How long a request may take; those that carry files may take longer. */
  timeoutMs?: number;
  print?: (sentence: string) => void;
}

export interface App {
  server: FastifyInstance;
  services: Services;
  close: () => Promise<void>;
}

/** The whole server as a value: production, tests and benchmarks all make it here. */
export async function createApp({
  config,
  connection,
  site,
  backOffice,
  clock = () => new Date(),
  print = () => {},
  logStream,
  runsJobs = true,
  runsSchedule = true,
  timeoutMs = 25_000,
}: AppOptions): Promise<App> {
  const files = await openFiles(config);
  const pageCache = createPageCache();
  const groupOf = createGroupOf(config);
  const beforeFramework = readyAnswers({
    cache: pageCache,
    basePath: config.basePath,
    headers: responseHeaders(config),
    mayCall(request) {
      try {
        limiter?.rough([groupOf(request)], ADDRESS_FLOOD, clock());
        return true;
      } catch {
        return false;
      }
    },
  });
  const server = fastify({
    serverFactory: (handler) => listener(beforeFramework(handler)),
    logger: {
      level: config.logLevel,
      ...(logStream === undefined ? {} : { stream: logStream }),
      serializers: { err: loggedError },
      // The multipart parser logs its headers at the lowest level.
      redact: ['*.headers.token', '*.headers.authorization', '*.headers.cookie'],
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    bodyLimit: MAX_BODY,
    // A slow machine may take long to start; that is no reason to fail.
    pluginTimeout: 0,
    // What still arrives while we stop is answered, so that a restart behind a proxy refuses nobody.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    clientErrorHandler: answerUnreadable,
    // A page says so itself of an address that cannot be read; of any other, before a route is chosen, this.
    rewriteUrl: ({ url = '/' }) => readableUrl(url, config.basePath),
    frameworkErrors: (error, request, reply) => {
      reply.headers(responseHeaders(config)).header('x-request-id', request.id);
      sendError(error, request, reply);
    },
  });
  const pool = createPool(connection);
  const lookups = createLookupPool(connection);
  const searches = createSearchPool(connection);
  const onLiveError = (error: Error) => server.log.warn(error, 'live');
  const {
    live,
    attach,
    close: closeLive,
  } = createLive(await openAdapter(config, pool, onLiveError), config, onLiveError);
  const mailer = createMailer(config, print);
  const encryption = await openEncryption(config, pool);
  const ground = {
    config,
    pool,
    lookups,
    searches,
    log: server.log,
    clock,
    secret: await getSecret(createDb(pool), clock(), encryption),
    encryption,
    live,
    pages: pageCache,
    files,
    mailer,
    sms: createSmsSender(config, print),
    schedule,
    erase,
  };
  const services: Services = { ...ground, providers: createProviders(ground) };
  const sessions = createSessionFinder(services);
  const tokens = createTokenFinder(services);
  const limiter = config.rateLimit
    ? createLimiter(pool, (error) => server.log.warn(error, 'rate limits'))
    : null;
  const pageEvents = await listenForPages(connection, pageCache);

  requestTimeout(server, timeoutMs);
  securityHeaders(server, config);
  bounds(server);
  metrics(server, services);
  warnOfProxies(server, config);
  // While developing, Vite may be busy for longer.
  if (!config.dev) pressure(server, config.basePath);
  server.setErrorHandler((thrown, request, reply) => {
    if (isBadRange(thrown)) return reply.code(416).headers(thrown.headers).send();
    const error = toCallError(thrown);
    if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'request failed');
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    return reply.code(error.status).type('text/plain; charset=utf-8').send(error.message);
  });
  health(server, services);
  await server.register(api, {
    prefix: `${config.basePath}/api`,
    services,
    bindings,
    sessions,
    tokens,
    limiter,
  });
  docs(server, services, bindings, limiter);
  for (const { serve } of modules)
    await serve?.(server, { services, limiter, ink, mark: { ...mark, svg: markSvg } });
  if (backOffice !== undefined) {
    const transport = inProcess(services)(new Set());
    admin(server, { services, limiter, backOffice: await backOffice(server), transport });
  }
  if (site !== undefined) {
    const made = await site(server);
    serviceWorker(server, services, made);
    diagram(server, config.basePath, made);
    pages(server, { services, limiter, site: made, transport: inProcess(services) });
  }

  attach(server.server, {
    findViewer: sessions.peek,
    onConnect: async (viewer) => {
      const ctx = systemCtx(services);
      await Promise.all([pushUnread(ctx, viewer.id), pushTalks(ctx, viewer.id)]);
    },
    async mayHear(viewer, essayIds) {
      // What staff may was looked at when they connected, and may have changed.
      const asker = viewer.isStaff ? await sessions.again(viewer) : viewer;
      return asker === null ? [] : mayHear(systemCtx(services), asker, essayIds);
    },
    findMembership: (viewer) => findMembership(systemCtx(services), viewer.id),
  });
  const runner = runsJobs
    ? await startJobs(services, { jobs, longJobs, schedule: runsSchedule ? schedule : {} })
    : null;

  // Live connections would keep the server from closing.
  server.addHook('preClose', async () => {
    await closeLive();
  });
  return {
    server,
    services,
    async close() {
      await server.close();
      await runner?.stop();
      await limiter?.close();
      await pageEvents.close();
      mailer?.close();
      await lookups.end();
      await searches.end();
      await pool.end();
    },
  };
}

function listener(answer: RequestListener): Server {
  const server = createServer(
    {
      // A file on a slow line; the handlers of everything else give up long before.
      requestTimeout: 600_000,
      keepAliveTimeout: 72_000,
      // Clients that offer another protocol, such as h2c, are answered in this one.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    answer,
  );
  // A connection on which nothing moves.
  server.setTimeout(60_000);
  return server;
}

/** Calls made while rendering a page: the same code as over HTTP, as for a visitor, without the network. */
function inProcess(services: Services): PageTransport {
  const byName = new Map(bindings.map((binding) => [nameOf(binding.call), binding]));
  const run = async ({ route, given }: TransportRequest, preview?: Partial<SiteSettings>) => {
    const binding = byName.get(route);
    if (binding === undefined) throw new Error(`no such call: ${route}`);
    const tags = new Set<string>();
    const ctx = { ...systemCtx(services), shown: tags, ...(preview !== undefined && { preview }) };
    const value = await answer(ctx, binding, given, null).catch((error: unknown) => {
      throw fromDatabase(error);
    });
    return { value, tags };
  };
  return (shown, preview) => async (request) => {
    const { value, tags } =
      preview === undefined
        ? await services.pages.callResult(request.route + JSON.stringify(request.given), () => run(request))
        : await run(request, preview);
    for (const tag of tags) shown.add(tag);
    return value;
  };
}

function health(server: FastifyInstance, { config, pool }: Services): void {
  server.get(`${config.basePath}/healthz`, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  server.get(`${config.basePath}/readyz`, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const isReady = await pool.query('select 1').then(
      () => true,
      () => false,
    );
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' });
  });
}

function warnOfProxies(server: FastifyInstance, config: Config): void {
  if (config.trustProxy !== false) return;
  let isWarned = false;
  server.addHook('onRequest', (request, _reply, done) => {
    done();
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return;
    isWarned = true;
    request.log.warn(
      '收到带有 X-Forwarded-For 的请求，但没有设置 TRUST_PROXY：访问者的地址将被记为代理的地址',
    );
  });
}
