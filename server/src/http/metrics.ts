import cluster from 'node:cluster';
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { normalizeAddress } from '../address.ts';
import type { Services } from '../ctx.ts';

const isLoopback = (address: string) => address === '::1' || normalizeAddress(address).startsWith('127.');

/** Prevents DNS rebinding: a foreign page can make a browser request this machine only under another host name. */
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Serves Prometheus metrics at `/metrics` to this machine or with the token. */
export function registerMetrics(app: FastifyInstance, { config, pool, pages }: Services): void {
  const registry = new Registry();
  // Each worker reports its own metrics.
  if (cluster.worker !== undefined) registry.setDefaultLabels({ worker: cluster.worker.id });
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by kind of route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('db_connections', 'Connections to the database', () => pool.totalCount);
  gauge('db_connections_waiting', 'Requests waiting for a connection', () => pool.waitingCount);
  gauge('page_cache_pages', 'Pages kept ready', () => pages.stats().pages);
  gauge('page_cache_bytes', 'Bytes of pages kept ready', () => pages.stats().bytes);
  gauge('page_cache_hits_total', 'Pages served from the cache', () => pages.stats().hits);
  gauge('page_cache_misses_total', 'Pages rendered', () => pages.stats().misses);

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
    return reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}
