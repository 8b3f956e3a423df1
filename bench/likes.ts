/**
 * `node bench/likes.ts`: all users like and unlike one essay concurrently in several rounds; as ratios to a bare Node
 * server that sends the same bytes. Checks that counters, rows and trends agree afterwards.
 */

import { rm } from 'node:fs/promises';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import autocannon from 'autocannon';
import { report } from './measure.ts';
import { openClient, type RunningServer, startBare, startMozhan, temporaryFolder } from './servers.ts';
import { createUsers } from './users.ts';

const USER_COUNT = 10_000;
const CONNECTIONS = 100;
const ROUNDS = 3;
const MIN_RATE = 1000;

type Method = 'POST' | 'DELETE';

const dataDir = await temporaryFolder();
const ours = await startMozhan(dataDir);
const client = await openClient(dataDir);

const tokens = await createUsers(client, USER_COUNT);

async function requestAsEveryone(server: RunningServer, method: Method, essayId: string): Promise<number> {
  const share = USER_COUNT / CONNECTIONS;
  let connection = 0;
  const result = await autocannon({
    url: `${server.url}/api/core/essay/like`,
    connections: CONNECTIONS,
    amount: USER_COUNT,
    setupClient: (client) => {
      const own = tokens.slice(connection * share, (connection + 1) * share);
      connection += 1;
      client.setRequests(
        own.map((token) => ({
          method,
          path: '/api/core/essay/like',
          headers: { token, 'content-type': 'application/json' },
          body: JSON.stringify({ essayId }),
        })),
      );
    },
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${method}: ${result.non2xx} refused, ${result.errors} errors`);
  return USER_COUNT / result.duration;
}

async function countLikes(essayId: string): Promise<string> {
  const { rows } = await client.query(
    `select like_count as counter,
       (select count(*)::int from essay_likes where essay_id = essays.id) as rows,
       (select coalesce(sum(likes), 0)::int from essay_days where essay_id = essays.id) as days,
       (select count(*)::int from trends where type = 1 and target_id = essays.id) as trends
     from essays where id = $1`,
    [essayId],
  );
  return JSON.stringify(rows[0]);
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

try {
  const { rows } = await client.query<{ id: string; token: string }>(
    `select id from essays where status = ${ESSAY_STATUS.onShelf} order by like_count limit 1`,
  );
  const essayId = rows[0]?.id.replaceAll('-', '') ?? '';
  const before = await countLikes(essayId);
  const sample = await fetch(`${ours.url}/api/core/essay/like`, {
    method: 'POST',
    headers: { token: tokens[0] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ essayId }),
  });
  const bare = await startBare(sample);
  const rates: Record<Method, { ours: number; bare: number }[]> = { POST: [], DELETE: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const method of ['POST', 'DELETE'] as const) {
      rates[method].push({
        bare: await requestAsEveryone(bare, method, essayId),
        ours: await requestAsEveryone(ours, method, essayId),
      });
      console.log(`${method}: ${await countLikes(essayId)}`);
    }
  }
  await bare.stop();
  report(
    (['POST', 'DELETE'] as const).map((method) => ({
      name: method === 'POST' ? 'liking one essay' : 'taking it back',
      ours: median(rates[method].map((rate) => rate.ours)),
      bare: median(rates[method].map((rate) => rate.bare)),
      ratio: median(rates[method].map((rate) => rate.ours / rate.bare)),
      least: 0,
    })),
  );
  const after = await countLikes(essayId);
  const slowest = Math.min(...rates.POST.map((rate) => rate.ours));
  console.log(
    `\nbefore ${before}, after ${after}; slowest round ${Math.round(slowest)} likes/s (goal: ${MIN_RATE})`,
  );
  if (before !== after || slowest < MIN_RATE) process.exitCode = 1;
} finally {
  await client.end();
  await ours.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
