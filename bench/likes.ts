/**
 * `node bench/likes.ts`: everyone likes one essay at the same time, then takes it back, several times over; as ratios to a
 * bare Node server that sends the same bytes. Then nothing may be lost: counters, rows and trends agree.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { findRunning } from '../server/src/db/embedded.ts';
import { report } from './measure.ts';
import { type Running, startBare, startMozhan } from './servers.ts';

const PEOPLE = 10_000;
const CONNECTIONS = 100;
const ROUNDS = 3;
/** Likes a second. */
const LEAST = 1000;

type Method = 'POST' | 'DELETE';

const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-bench-'));
// Run by root, PostgreSQL runs as someone else, who must be able to enter.
await chmod(dataDir, 0o755);
const ours = await startMozhan(dataDir);
const client = new pg.Client(
  (await findRunning({ dataDir, note: () => {}, systemDir: `${dataDir}/system` })) ?? {},
);
await client.connect();

const tokens = Array.from({ length: PEOPLE }, () => randomBytes(32).toString('base64url'));

/** As many people as tokens, each signed in with one. */
async function makePeople(): Promise<void> {
  await client.query(
    `with given as (
       select hash, at, gen_random_uuid() as user_id, gen_random_uuid() as session_id
       from unnest($1::bytea[]) with ordinality as given (hash, at)
     ), people as (
       insert into users (id, display_name, invite_code, created_at, updated_at)
       select user_id, '读者' || at, 'likes-' || at, now(), now() from given
     ), named as (
       insert into accounts (user_id, name, password_hash, updated_at)
       select user_id, 'likes-' || at, '', now() from given
     ), begun as (
       insert into sessions (id, user_id, via, device, address, region, created_at, renewed_at)
       select session_id, user_id, 'password', '', '', '', now(), now() from given
     )
     insert into session_tokens (hash, session_id, issued_at, used_at, expires_at)
     select hash, session_id, now(), now(), now() + interval '1 day' from given`,
    [tokens.map((token) => createHash('sha256').update(token).digest())],
  );
  await client.query('analyze');
}

/** Everybody once: how many are answered in a second. */
async function everybody(server: Running, method: Method, essayId: string): Promise<number> {
  const share = PEOPLE / CONNECTIONS;
  let connection = 0;
  const result = await autocannon({
    url: `${server.url}/api/core/essay/like`,
    connections: CONNECTIONS,
    amount: PEOPLE,
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
  return PEOPLE / result.duration;
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
  await makePeople();
  const { rows } = await client.query<{ id: string; token: string }>(
    'select id from essays where status = 3 order by like_count limit 1',
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
        bare: await everybody(bare, method, essayId),
        ours: await everybody(ours, method, essayId),
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
    `\nbefore ${before}, after ${after}; slowest round ${Math.round(slowest)} likes/s (goal: ${LEAST})`,
  );
  if (before !== after || slowest < LEAST) process.exitCode = 1;
} finally {
  await client.end();
  await ours.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
