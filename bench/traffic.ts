import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import { createApp } from '@mozhan/server/app.ts';
import { readConfig } from '@mozhan/server/config/config.ts';
import { createPool } from '@mozhan/server/db/client.ts';
import { migrate } from '@mozhan/server/db/migrate.ts';
import { builtSite } from '@mozhan/server/http/pages.ts';
import { measureThroughput } from './load.ts';
import { median } from './measure.ts';
import { temporaryFolder } from './servers.ts';

/**
 * The CPU time of a cached page with and without counting, by turns in one process. Other load disturbs CPU time less than
 * throughput. Needs `wrk` and a built site: `node scripts/build.ts && node bench/traffic.ts`.
 */
const ROUNDS = 25;
const SECONDS = 2;
const headers = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml',
  'Accept-Encoding': 'gzip, deflate, br',
  'Accept-Language': 'zh-CN,zh;q=0.9',
  Referer: 'https://www.baidu.com/',
  'Sec-Fetch-Dest': 'document',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-Site': 'cross-site',
};

const dataDir = await temporaryFolder();
const database = await startEmbedded({ dataDir, notify: () => {}, systemDir: join(dataDir, 'system') });
const pool = createPool(database.connection);
await migrate(pool).finally(() => pool.end());
const app = await createApp({
  config: readConfig({ DATA_DIR: dataDir, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' }),
  connection: database.connection,
  site: (server) => builtSite(server, ''),
});
const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
const { traffic } = app.services;
const counters = { counted: traffic.count, uncounted: () => {} };
const costs: Record<keyof typeof counters, number[]> = { counted: [], uncounted: [] };

/** Microseconds of CPU time per page. */
async function measure(kind: keyof typeof counters): Promise<number> {
  traffic.count = counters[kind];
  const before = process.cpuUsage();
  const { rate } = await measureThroughput(
    { url, pid: process.pid, databasePid: 0, stop: async () => {} },
    { paths: ['/home'], headers, connections: 50, seconds: SECONDS },
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (rate * SECONDS);
}

// The first rounds compile the code and compress the page.
for (let round = -3; round < ROUNDS; round++) {
  const order = round % 2 === 0 ? (['counted', 'uncounted'] as const) : (['uncounted', 'counted'] as const);
  for (const kind of order) {
    const cost = await measure(kind);
    if (round >= 0) costs[kind].push(cost);
  }
}
// Neighbouring rounds have the same other load, so their ratios vary less than the costs.
const ratios = costs.counted.map((cost, at) => cost / (costs.uncounted[at] ?? 1));
console.log(
  `counted ${median(costs.counted).toFixed(1)} µs, uncounted ${median(costs.uncounted).toFixed(1)} µs`,
);
console.log(`ratio ${median(ratios).toFixed(3)}, median of ${ROUNDS} pairs`);
await app.close();
await database.stop();
await rm(dataDir, { recursive: true, force: true });
