import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { TransportRequest } from '@mozhan/contract/client.ts';
import { MAX_BODY_BYTES, routeNameOf } from '@mozhan/contract/define.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import * as landscapeShapes from '@mozhan/web/lib/landscape-shapes.ts';
import { logoMark, logoSvg } from '@mozhan/web/ui/logo-mark.ts';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type pg from 'pg';
import { createAddressGroupReader, createAddressReader } from './address.ts';
import type { Config } from './config/config.ts';
import { TIME_LIMIT_FACTOR } from './config/time-limits.ts';
import type { Ctx, EssayMove, Services, Viewer } from './ctx.ts';
import { createDb, createLookupPool, createPool, createSearchPool } from './db/client.ts';
import { mapDatabaseError } from './db/errors.ts';
import { newId } from './db/id.ts';
import { openFiles } from './files/open.ts';
import { type BackOffice, registerAdmin } from './http/admin.ts';
import { ADDRESS_RATE_LIMIT, apiPlugin, sendError } from './http/api.ts';
import { refuseBanned } from './http/banned.ts';
import { serveCachedResponses } from './http/cached-responses.ts';
import { registerDiagram } from './http/diagram.ts';
import { registerDocs } from './http/docs.ts';
import { isRangeNotSatisfiable, respondToMalformedRequest, toCallError } from './http/errors.ts';
import { executeCall } from './http/execute-call.ts';
import { registerSecurityHeaders, responseHeaders } from './http/headers.ts';
import * as httpJobs from './http/jobs.ts';
import { createLimiter } from './http/limits.ts';
import { registerMaintenance } from './http/maintenance.ts';
import { registerMetrics } from './http/metrics.ts';
import { registerOverloadProtection } from './http/overload.ts';
import { createPageCache } from './http/page-cache.ts';
import { listenForInvalidations } from './http/page-invalidations.ts';
import { type PageTransport, registerPages, type Site } from './http/pages.ts';
import { registerRequestBounds } from './http/request-bounds.ts';
import type { Binding } from './http/route.ts';
import { collectRoutes } from './http/routes.ts';
import { registerServiceWorker } from './http/service-worker.ts';
import { registerRequestTimeout } from './http/timeout.ts';
import { escapeMalformedUrl } from './http/url.ts';
import { type Jobs, startJobs, startJobsLater, systemCtx } from './jobs.ts';
import { openAdapter } from './live/adapter.ts';
import { createLive } from './live/live.ts';
import { serializeError } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { MailSamples } from './module.ts';
import { BANS_TAG, loadBans, noBans } from './modules/accounts/bans/index.ts';
import {
  createApiTokenFinder,
  createSessionFinder,
  pushUnreadCounts,
} from './modules/accounts/users/index.ts';
import { createTrafficCounter } from './modules/admin/traffic/index.ts';
import { modules } from './modules/all.ts';
import { createRedirectFinder } from './modules/content/redirects/index.ts';
import {
  defaultSearchEngines,
  findRootFile,
  loadSearchEngines,
  SEARCH_ENGINES_TAG,
} from './modules/content/site/index.ts';
import { filterReadableRooms, pushConversationCounts } from './modules/messaging/chats/index.ts';
import { findMembershipMsLeft } from './modules/payments/members/index.ts';
import { createProviders } from './modules/payments/orders/index.ts';
import { createMailer, createSmsSender } from './modules/platform/mail-sms/index.ts';
import { defaultSwitches, getSecret, loadSwitches, SWITCHES_TAG } from './modules/platform/settings/index.ts';
import { openEncryption } from './secrets/secrets.ts';
import { createSharedState } from './shared-state.ts';

const bindings: Binding[] = modules.flatMap(({ routes = [] }) => routes);
const jobs: Jobs = Object.assign({}, httpJobs.jobs, ...modules.map((module) => module.jobs));
const longJobs: Jobs = Object.assign({}, ...modules.map((module) => module.longJobs));
const schedule: Record<string, string> = Object.assign(
  {},
  httpJobs.schedule,
  ...modules.map((module) => module.schedule),
);
const mailSamples = Object.assign({}, ...modules.map((module) => module.mailSamples)) as MailSamples;

/** Runs in reverse order, so that a module deletes its data before the modules that it depends on. */
async function eraseUser(ctx: Ctx, user: Viewer): Promise<void> {
  for (const module of modules.toReversed()) await module.eraseUser?.(ctx, user);
}

async function essayMoved(ctx: Ctx, move: EssayMove): Promise<void> {
  for (const module of modules) await module.essayMoved?.(ctx, move);
}

export interface AppOptions {
  config: Config;
  /** The database must be migrated. */
  connection: pg.PoolConfig;
  /** Creates the readers' site; without it only the API is served. */
  site?: (app: FastifyInstance) => Promise<Site>;
  backOffice?: (app: FastifyInstance) => Promise<BackOffice>;
  clock?: () => Date;
  logStream?: { write: (line: string) => void };
  /** False for commands, which leave jobs to the server. */
  runsJobs?: boolean;
  /** The jobs start this much later. */
  jobsDelayMs?: number;
  /** False in tests, where jobs run only when a test adds them. */
  runsSchedule?: boolean;
  /** Request timeout; routes that carry files have a longer one. */
  timeoutMs?: number;
  print?: (message: string) => void;
}

export interface App {
  server: FastifyInstance;
  services: Services;
  close: () => Promise<void>;
}

export async function createApp({
  config,
  connection,
  site,
  backOffice,
  clock = () => new Date(),
  print = () => {},
  logStream,
  runsJobs = true,
  jobsDelayMs = 0,
  runsSchedule = true,
  timeoutMs = 25_000 * TIME_LIMIT_FACTOR,
}: AppOptions): Promise<App> {
  const files = await openFiles(config);
  const pageCache = createPageCache();
  const groupOf = createAddressGroupReader(config);
  const addressOf = createAddressReader(config);
  let currentBans = noBans;
  const isBanned = (request: IncomingMessage): boolean =>
    currentBans.list.length > 0 && currentBans.matches(addressOf(request), clock().getTime());
  const refuseBeforeAll = refuseBanned({ basePath: config.basePath, isBanned });
  const beforeFramework = serveCachedResponses({
    cache: pageCache,
    basePath: config.basePath,
    headers: responseHeaders(config),
    onPage: (request) => traffic.count(request),
    isOff: () => switches.current().maintenance || searchEngines.current().closed,
    isCallAllowed(request) {
      try {
        limiter?.checkApproximate([groupOf(request)], ADDRESS_RATE_LIMIT, clock());
        return true;
      } catch {
        return false;
      }
    },
  });
  const server = fastify({
    serverFactory: (handler) => createHttpServer(refuseBeforeAll(beforeFramework(handler))),
    logger: {
      level: config.logLevel,
      ...(logStream === undefined ? {} : { stream: logStream }),
      serializers: { err: serializeError },
      // The multipart parser logs its headers at the lowest level.
      redact: ['*.headers.token', '*.headers.authorization', '*.headers.cookie'],
    },
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    bodyLimit: MAX_BODY_BYTES,
    // A start on a slow machine may take longer than any timeout.
    pluginTimeout: 0,
    // Requests that arrive during shutdown are still served, so that a restart behind a proxy causes no errors.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    clientErrorHandler: respondToMalformedRequest,
    // A malformed page URL is rewritten so that the page routes can respond; other malformed URLs get the error below.
    rewriteUrl: ({ url = '/' }) => escapeMalformedUrl(url, config.basePath),
    frameworkErrors: (error, request, reply) => {
      reply.headers(responseHeaders(config)).header('x-request-id', request.id);
      sendError(error, request, reply);
    },
  });
  const isServerPath = collectRoutes(server, config.basePath);
  let loadRenderer: Site['loadRenderer'] | undefined;
  const isOwnPath = async (path: string) =>
    isServerPath(path) || (await loadRenderer?.())?.routeKindOf(path) === 'fixed';
  const pool = createPool(connection);
  const lookupPool = createLookupPool(connection);
  const searchPool = createSearchPool(connection);
  const onLiveError = (error: Error) => server.log.warn(error, 'live');
  const {
    live,
    attach,
    close: closeLive,
  } = createLive(await openAdapter(config, pool, onLiveError), { config, isBanned, onError: onLiveError });
  const switches = createSharedState({
    initial: defaultSwitches,
    load: () => loadSwitches(createDb(pool)),
    onChange(now, before) {
      // Pages rendered since the notification may display the old state.
      pageCache.invalidate([SWITCHES_TAG]);
      if (now.maintenance && !before.maintenance) live.disconnectReadersLocally();
      if (now.chats !== before.chats) live.recheckAllLocally();
    },
    onError: (error) => server.log.warn(error, 'switches'),
  });
  const searchEngines = createSharedState({
    initial: defaultSearchEngines,
    load: () => loadSearchEngines(createDb(pool)),
    // Pages rendered since the notification may contain the old tags.
    onChange: () => pageCache.invalidate([SEARCH_ENGINES_TAG]),
    onError: (error) => server.log.warn(error, 'search engines'),
  });
  const bans = createSharedState({
    initial: noBans,
    load: () => loadBans(createDb(pool), clock()),
    onChange(loaded) {
      currentBans = loaded;
      live.disconnectBannedLocally();
    },
    onError: (error) => server.log.warn(error, 'bans'),
  });
  const traffic = createTrafficCounter({ config, pool, clock, log: server.log });
  await Promise.all([switches.refresh(), searchEngines.refresh(), bans.refresh()]);
  const mailer = createMailer(config, print);
  const encryption = await openEncryption(config, pool);
  const baseServices = {
    config,
    pool,
    lookupPool,
    searchPool,
    log: server.log,
    clock,
    secret: await getSecret(createDb(pool), clock(), encryption),
    encryption,
    live,
    pages: pageCache,
    switches,
    searchEngines,
    metrics: createMetrics(),
    bans,
    traffic,
    files,
    mailer,
    sms: createSmsSender(config, print),
    mailSamples,
    schedule,
    eraseUser,
    essayMoved,
    isOwnPath,
  };
  const services: Services = { ...baseServices, providers: createProviders(baseServices) };
  const sessions = createSessionFinder(services);
  const tokens = createApiTokenFinder(services);
  const limiter = config.rateLimit
    ? createLimiter(pool, (error) => server.log.warn(error, 'rate limits'))
    : null;
  const redirects = createRedirectFinder(services);
  const pageEvents = await listenForInvalidations(connection, {
    invalidate(tags) {
      pageCache.invalidate(tags);
      if (tags.includes(SWITCHES_TAG)) void switches.refresh();
      if (tags.includes(SEARCH_ENGINES_TAG)) void searchEngines.refresh();
      if (tags.includes(BANS_TAG)) void bans.refresh();
    },
    setEnabled(isEnabled) {
      pageCache.setEnabled(isEnabled);
      if (!isEnabled) return;
      void switches.refresh();
      void searchEngines.refresh();
      void bans.refresh();
    },
  });

  registerRequestTimeout(server, timeoutMs);
  registerSecurityHeaders(server, config, () => searchEngines.current().closed);
  registerRequestBounds(server);
  registerMetrics(
    server,
    services,
    modules.flatMap(({ gauges }) => gauges ?? []),
  );
  const maintenance = registerMaintenance(server, services, logoMark);
  warnAboutUntrustedProxy(server, config);
  // In development, Vite may block the event loop for longer.
  if (!config.dev) registerOverloadProtection(server, config.basePath);
  server.setErrorHandler((thrown, request, reply) => {
    if (isRangeNotSatisfiable(thrown)) return reply.code(416).headers(thrown.headers).send();
    const error = toCallError(thrown);
    if (error.status >= 500) request.log.error({ err: error.cause ?? error }, 'request failed');
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
    return reply.code(error.status).type('text/plain; charset=utf-8').send(error.message);
  });
  health(server, services);
  await server.register(apiPlugin, {
    prefix: `${config.basePath}/api`,
    services,
    bindings,
    sessions,
    tokens,
    limiter,
    maintenance,
  });
  registerDocs(server, services, bindings, limiter);
  for (const { serve } of modules)
    await serve?.(server, { services, limiter, landscapeShapes, mark: { ...logoMark, svg: logoSvg } });
  if (backOffice !== undefined) {
    const transport = createInProcessTransport(services)(new Set());
    registerAdmin(server, { services, limiter, backOffice: await backOffice(server), transport });
  }
  if (site !== undefined) {
    const createdSite = await site(server);
    registerServiceWorker(server, services, createdSite);
    registerDiagram(server, config.basePath, createdSite);
    loadRenderer = createdSite.loadRenderer;
    registerPages(server, {
      services,
      limiter,
      site: createdSite,
      redirects,
      onPage: traffic.count,
      findRootFile: (path) => findRootFile(searchEngines.current(), path),
      transport: createInProcessTransport(services),
    });
  }

  attach(server.server, {
    findViewer: sessions.findWithoutRenewal,
    isOpenTo: (viewer) => viewer.isStaff || !switches.current().maintenance,
    onConnect: async (viewer) => {
      const ctx = systemCtx(services);
      await Promise.all([pushUnreadCounts(ctx, viewer.id), pushConversationCounts(ctx, viewer.id)]);
    },
    async filterAccessibleRooms(viewer, essayIds) {
      // Permissions of staff may have changed since they connected.
      const current = viewer.isStaff ? await sessions.refreshViewer(viewer) : viewer;
      return current === null ? [] : filterReadableRooms(systemCtx(services), current, essayIds);
    },
    findMembership: (viewer) => findMembershipMsLeft(systemCtx(services), viewer.id),
  });
  const allJobs = { jobs, longJobs, schedule: runsSchedule ? schedule : {} };
  const start = async () =>
    jobsDelayMs === 0 ? await startJobs(services, allJobs) : startJobsLater(services, allJobs, jobsDelayMs);
  const runningJobs = runsJobs ? await start() : null;

  // Open live connections would prevent the server from closing.
  server.addHook('preClose', async () => {
    await closeLive();
  });
  return {
    server,
    services,
    async close() {
      await server.close();
      await runningJobs?.stop();
      await limiter?.close();
      await redirects.close();
      await traffic.close();
      await pageEvents.close();
      mailer?.close();
      await lookupPool.end();
      await searchPool.end();
      await pool.end();
    },
  };
}

function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      // Long enough to upload a file on a slow line; other routes have a shorter timeout of their own.
      requestTimeout: 600_000,
      keepAliveTimeout: 72_000,
      // Upgrade offers for other protocols, such as h2c, are ignored.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    listener,
  );
  server.setTimeout(60_000);
  return server;
}

/** Runs API calls of server-side rendering in this process, with the permissions of a visitor. */
function createInProcessTransport(services: Services): PageTransport {
  const byName = new Map(bindings.map((binding) => [routeNameOf(binding.call), binding]));
  const run = async ({ route, fullInput: given }: TransportRequest, preview?: Partial<SiteSettings>) => {
    const binding = byName.get(route);
    if (binding === undefined) throw new Error(`no such call: ${route}`);
    const tags = new Set<string>();
    const ctx = { ...systemCtx(services), pageTags: tags, ...(preview !== undefined && { preview }) };
    const value = await executeCall(ctx, binding, given, null).catch((error: unknown) => {
      throw mapDatabaseError(error);
    });
    return { value, tags };
  };
  return (pageTags, preview) => async (request) => {
    const { value, tags } =
      preview === undefined
        ? await services.pages.callResult(request.route + JSON.stringify(request.fullInput), () =>
            run(request),
          )
        : await run(request, preview);
    for (const tag of tags) pageTags.add(tag);
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

function warnAboutUntrustedProxy(server: FastifyInstance, config: Config): void {
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
