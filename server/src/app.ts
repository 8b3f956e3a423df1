import { MAX_BODY, nameOf } from '@mozhan/contract/define.ts';
import * as ink from '@mozhan/web/lib/ink.ts';
import { mark, markSvg } from '@mozhan/web/ui/mark.ts';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import type { Config } from './config.ts';
import type { Services } from './ctx.ts';
import { createDb, createLookupPool, createPool } from './db/client.ts';
import { fromDatabase } from './db/errors.ts';
import { newId } from './db/id.ts';
import { openFiles } from './files-open.ts';
import { admin, type BackOffice } from './http/admin.ts';
import { answer } from './http/answer.ts';
import { api, sendError } from './http/api.ts';
import { bounds } from './http/bounds.ts';
import { brand } from './http/brand.ts';
import { diagram } from './http/diagram.ts';
import { docs } from './http/docs.ts';
import { answerUnreadable, isBadRange, toCallError } from './http/errors.ts';
import { publicFiles } from './http/files.ts';
import { responseHeaders, securityHeaders } from './http/headers.ts';
import * as httpJobs from './http/jobs.ts';
import { createLimiter } from './http/limits.ts';
import { manifest } from './http/manifest.ts';
import { metrics } from './http/metrics.ts';
import { createPageCache } from './http/page-cache.ts';
import { listenForPages } from './http/page-events.ts';
import { type PageTransport, pages, type Site } from './http/pages.ts';
import { pressure } from './http/pressure.ts';
import type { Binding } from './http/route.ts';
import { serviceWorker } from './http/service-worker.ts';
import { requestTimeout } from './http/timeout.ts';
import { readableUrl } from './http/url.ts';
import { type Jobs, startJobs, systemCtx } from './jobs.ts';
import { createLive } from './live.ts';
import { openAdapter } from './live-adapter.ts';
import { loggedError } from './log.ts';
import * as access from './modules/access/index.ts';
import * as closing from './modules/account-closing/index.ts';
import * as announcements from './modules/announcements/index.ts';
import * as backups from './modules/backups/index.ts';
import * as categories from './modules/categories/index.ts';
import * as chats from './modules/chats/index.ts';
import * as farmers from './modules/code-farmers/index.ts';
import * as stars from './modules/code-stars/index.ts';
import * as collections from './modules/collections/index.ts';
import * as comments from './modules/comments/index.ts';
import * as covers from './modules/covers/index.ts';
import * as dicts from './modules/dicts/index.ts';
import * as downloads from './modules/downloads/index.ts';
import * as essays from './modules/essays/index.ts';
import * as experts from './modules/experts/index.ts';
import { serveFeeds } from './modules/feeds/index.ts';
import * as finance from './modules/finance/index.ts';
import * as inbox from './modules/inbox/index.ts';
import * as ledger from './modules/ledger/index.ts';
import * as letters from './modules/letters/index.ts';
import * as likes from './modules/likes/index.ts';
import { createMailer, createSmsSender, jobs as messageJobs } from './modules/mail-sms/index.ts';
import * as members from './modules/members/index.ts';
import * as notices from './modules/notices/index.ts';
import * as orders from './modules/orders/index.ts';
import { createProviders } from './modules/payments/index.ts';
import * as prices from './modules/prices/index.ts';
import * as reports from './modules/reports/index.ts';
import * as rewards from './modules/rewards/index.ts';
import * as search from './modules/search/index.ts';
import * as words from './modules/sensitive-words/index.ts';
import { getSecret } from './modules/settings/index.ts';
import * as shares from './modules/shares/index.ts';
import * as site from './modules/site/index.ts';
import * as stats from './modules/stats/index.ts';
import * as system from './modules/system/index.ts';
import * as transfer from './modules/transfer/index.ts';
import * as trends from './modules/trends/index.ts';
import * as uploads from './modules/uploads/index.ts';
import * as users from './modules/users/index.ts';
import * as wallet from './modules/wallet/index.ts';
import * as webhooks from './modules/webhooks/index.ts';
import { openEncryption } from './secrets.ts';

const bindings: Binding[] = [
  ...site.routes,
  ...users.routes,
  ...ledger.routes,
  ...notices.routes,
  ...inbox.routes,
  ...uploads.routes,
  ...access.routes,
  ...system.routes,
  ...backups.routes,
  ...categories.routes,
  ...essays.routes,
  ...likes.routes,
  ...collections.routes,
  ...shares.routes,
  ...comments.routes,
  ...chats.routes,
  ...letters.routes,
  ...prices.routes,
  ...members.routes,
  ...rewards.routes,
  ...orders.routes,
  ...downloads.routes,
  ...wallet.routes,
  ...finance.routes,
  ...trends.routes,
  ...farmers.routes,
  ...stars.routes,
  ...experts.routes,
  ...reports.routes,
  ...stats.routes,
  ...dicts.routes,
  ...covers.routes,
  ...announcements.routes,
  ...words.routes,
  ...transfer.routes,
  ...closing.routes,
  ...webhooks.routes,
];
const jobs: Jobs = {
  ...httpJobs.jobs,
  ...messageJobs,
  ...uploads.jobs,
  ...users.jobs,
  ...essays.jobs,
  ...shares.jobs,
  ...orders.jobs,
  ...finance.jobs,
  ...downloads.jobs,
  ...inbox.jobs,
  ...search.jobs,
  ...stars.jobs,
  ...stats.jobs,
  ...covers.jobs,
  ...announcements.jobs,
  ...transfer.jobs,
  ...closing.jobs,
  ...backups.jobs,
  ...webhooks.jobs,
};
const longJobs: Jobs = { ...transfer.longJobs, ...backups.longJobs };
const schedule = {
  ...httpJobs.schedule,
  ...uploads.schedule,
  ...users.schedule,
  ...essays.schedule,
  ...shares.schedule,
  ...orders.schedule,
  ...finance.schedule,
  ...downloads.schedule,
  ...inbox.schedule,
  ...search.schedule,
  ...stars.schedule,
  ...transfer.schedule,
  ...backups.schedule,
  ...webhooks.schedule,
  ...stats.schedule,
};

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
  const server = fastify({
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
    connectionTimeout: 60_000,
    // A file on a slow line; the handlers of everything else give up long before.
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
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
  const pageCache = createPageCache();
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
  };
  const services: Services = { ...ground, providers: await createProviders(ground) };
  const sessions = users.createSessionFinder(services);
  const tokens = users.createTokenFinder(services);
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
  await server.register(orders.servePaymentCallbacks, {
    prefix: `${config.basePath}/api/core/fina/notify`,
    services,
    limiter,
  });
  docs(server, services, bindings, limiter);
  brand(server, config.basePath);
  manifest(server, services, { ...mark, svg: markSvg });
  serveFeeds(server, { services, limiter, ink });
  shares.servePosters(server, { services, limiter, ink, mark });
  downloads.serveDownloads(server, { services, limiter, ink });
  transfer.serveTransfers(server, services, limiter);
  backups.serveBackups(server, services, limiter);
  await publicFiles(server, services);
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
      await Promise.all([notices.pushUnread(ctx, viewer.id), chats.pushTalks(ctx, viewer.id)]);
    },
    async mayHear(viewer, essayIds) {
      // What staff may was looked at when they connected, and may have changed.
      const asker = viewer.isStaff ? await sessions.again(viewer) : viewer;
      return asker === null ? [] : chats.mayHear(systemCtx(services), asker, essayIds);
    },
    findMembership: (viewer) => members.findMembership(systemCtx(services), viewer.id),
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
      await pool.end();
    },
  };
}

/** Calls made while rendering a page: the same code as over HTTP, as for a visitor, without the network. */
function inProcess(services: Services): PageTransport {
  const byName = new Map(bindings.map((binding) => [nameOf(binding.call), binding]));
  return (shown, preview) => async (request) => {
    const binding = byName.get(request.route);
    if (binding === undefined) throw new Error(`no such call: ${request.route}`);
    const ctx = { ...systemCtx(services), shown, ...(preview !== undefined && { preview }) };
    return answer(ctx, binding, request.given, null).catch((error: unknown) => {
      throw fromDatabase(error);
    });
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
