import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { normalizeAddress } from '../address.ts';
import type { Services } from '../ctx.ts';
import { systemCtx } from '../jobs.ts';
import type { GaugeGroup } from '../metrics.ts';

const isLoopback = (address: string) => address === '::1' || normalizeAddress(address).startsWith('127.');

/** Prevents DNS rebinding: a foreign page can make a browser request this machine only under another host name. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** However often `/metrics` is requested, the database is asked this often at most. */
const GAUGES_TTL_MS = 15_000;
/** Shorter than the timeout of a scrape, so that the other metrics arrive while the database is down. */
const READ_TIMEOUT_MS = 8000;

/** Returns a function that refreshes the gauges; a group that cannot be read has no values. */
function createGauges(registry: Registry, services: Services, groups: readonly GaugeGroup[]) {
  const fields = groups.map(({ gauges, read }) => ({
    read,
    gauges: Object.entries(gauges).map(([name, help]) => ({
      name,
      // A gauge that declares a label has no value before the first `set`; others start with 0.
      gauge: new Gauge({ name, help, registers: [registry], labelNames: ['worker'] }),
    })),
  }));
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<unknown> = Promise.resolve();
  const readAll = () =>
    Promise.all(
      fields.map(async ({ read, gauges }) => {
        const timeout = sleep(READ_TIMEOUT_MS, null, { ref: false });
        const values = await Promise.race([read(systemCtx(services)), timeout]).catch((error: unknown) => {
          services.log.warn({ err: error }, 'metrics');
          return null;
        });
        for (const { name, gauge } of gauges) {
          const value = values?.[name] ?? null;
          if (value === null) gauge.reset();
          else gauge.set(value);
        }
      }),
    );
  return async (): Promise<void> => {
    const now = services.clock().getTime();
    if (now - readAt >= GAUGES_TTL_MS) {
      readAt = now;
      reading = readAll();
    }
    await reading;
  };
}

function registerProcessMetrics(registry: Registry, { pool, pages }: Services): void {
  const options = (name: string, help: string) => ({ name, help, registers: [registry] });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...options(name, help),
      collect() {
        this.set(read());
      },
    });
  /** For totals that are counted elsewhere. */
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      ...options(name, help),
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  gauge('db_connections', 'Connections to the database', () => pool.totalCount);
  gauge('db_connections_waiting', 'Requests waiting for a connection', () => pool.waitingCount);
  gauge('page_cache_pages', 'Pages kept ready', () => pages.stats().pages);
  gauge('page_cache_bytes', 'Bytes of pages kept ready', () => pages.stats().bytes);
  counter('page_cache_hits_total', 'Pages served from the cache', () => pages.stats().hits);
  counter('page_cache_misses_total', 'Pages rendered', () => pages.stats().misses);
}

/** Serves Prometheus metrics at `/metrics` to this machine or with the token. */
export function registerMetrics(
  app: FastifyInstance,
  services: Services,
  groups: readonly GaugeGroup[],
): void {
  const { config } = services;
  const { registry } = services.metrics;
  const refreshGauges = createGauges(registry, services, groups);
  registerProcessMetrics(registry, services);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by kind of route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });

  app.addHook('onResponse', (request, reply, done) => {
    durations.observe(
      { method: request.method, route: request.routeOptions.url ?? 'page', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });

  app.get(`${config.basePath}/metrics`, async (request, reply) => {
    const given = Buffer.from(request.headers.authorization ?? '');
    const expected = Buffer.from(`Bearer ${config.metricsToken}`);
    const hasToken =
      config.metricsToken !== undefined &&
      given.length === expected.length &&
      timingSafeEqual(given, expected);
    // Behind a local proxy every request comes from loopback, but has a forwarded address.
    const isLocal =
      isLoopback(request.ip) &&
      LOCAL_HOST.test(request.host) &&
      request.headers['x-forwarded-for'] === undefined;
    if (!hasToken && !isLocal) return reply.code(403).type('text/plain; charset=utf-8').send('没有权限');
    await refreshGauges();
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}
