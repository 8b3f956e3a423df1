/**
 * `node bench/search-quality.ts [tuning|held-out] [-v]`: how many relevant essays the search finds among the first ten
 * (recall) and how early the first one comes (mean reciprocal rank), by kind of query; `-v` lists queries with errors.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import { createPool } from '@mozhan/server/db/client.ts';
import { migrate } from '@mozhan/server/db/migrate.ts';
import { systemCtx } from '@mozhan/server/jobs.ts';
import { jobs } from '@mozhan/server/modules/platform/search/jobs.ts';
import {
  fillIndex,
  measureQuality,
  readQueries,
} from '@mozhan/server/modules/platform/search/relevance-fixture.ts';
import { createSearchServices } from './search-services.ts';

const sets = (['tuning', 'held-out'] as const).filter(
  (set) => process.argv.includes(set) || !/tuning|held-out/.test(process.argv.join(' ')),
);
const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-bench-'));
// As root, PostgreSQL runs as another user, who must be able to enter the folder.
await chmod(dataDir, 0o755);
const { connection, stop } = await startEmbedded({
  dataDir,
  notify: () => {},
  systemDir: join(dataDir, 'system'),
});
const pool = createPool(connection);
await migrate(pool);
const services = createSearchServices(pool, connection);
const ctx = systemCtx(services);
console.log(`${await fillIndex(ctx)} essays`);
await jobs['search-refresh']?.(ctx, {});

for (const set of sets) {
  const table: Record<string, { queries: number; 'recall@10': number; MRR: number }> = {};
  const worst: string[] = [];
  let queries = 0;
  let ranks = 0;
  for (const [kind, list] of readQueries(`${set}.txt`)) {
    const quality = await measureQuality(ctx, list);
    const round = (value: number) => Number(value.toFixed(3));
    table[kind] = {
      queries: quality.queries,
      'recall@10': round(quality.recall),
      MRR: round(quality.reciprocalRank),
    };
    queries += quality.queries;
    ranks += quality.queries * quality.reciprocalRank;
    worst.push(...quality.worst.map((line) => `${kind}: ${line}`));
  }
  console.log(`${set}: ${queries} queries, MRR ${(ranks / queries).toFixed(3)}`);
  console.table(table);
  if (process.argv.includes('-v')) console.log(worst.join('\n'));
}

await services.searchPool.end();
await services.lookupPool.end();
await pool.end();
await stop();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
