/**
 * `node bench/hostile.ts [expression]`: ten clients, each with its own account and IP address, send the worst input that
 * the default limits allow, while a separate process requests a cached page. Runs each attack alone, then all together;
 * then compares hostile strings with harmless ones of the same length. Loopback only.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { type Attack, type Attacker, attacks, createImageBombs, stringPairs } from './attacks.ts';
import { measureTimes, quantile } from './measure.ts';
import type { Probe } from './prober.ts';
import { abortAll, send } from './raw-request.ts';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';
import { createUsers, signInAdmin } from './users.ts';

const CLIENTS = 10;
/** Connections per client for a single attack; the combined run has one per attack. */
const CONNECTIONS = 4;
const KIND_MS = 4000;
const TOGETHER_MS = 20_000;
const EVERY_MS = 20;
const GOAL_MS = 250;
const ROUNDS = 5;

/** Filters attacks and strings by name. */
const only = new RegExp(process.argv[2] ?? '');
const kinds = attacks.filter(({ name }) => only.test(name));

const dataDir = await temporaryFolder();
const server = await startMozhan(dataDir, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
const prober = fork(join(import.meta.dirname, 'prober.ts'), {
  execArgv: process.execArgv,
  // Failed requests are `Infinity`, which JSON cannot represent.
  serialization: 'advanced',
});
// Lower priority, because real attackers use other machines.
setPriority(10);

async function callAsAdmin(
  path: string,
  method: string,
  body: object,
  token = '',
): Promise<{ id: string; token: string }> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  });
  const { success, data, errorMessage } = (await response.json()) as {
    success: boolean;
    data: { id: string };
    errorMessage: string;
  };
  if (!success) throw new Error(`${path}: ${errorMessage}`);
  return { id: data?.id, token: response.headers.get('token') ?? token };
}

/** Publishes an essay with a large page that still renders within the time limit. */
async function publishLarge(categoryId: string): Promise<string> {
  const token = await signInAdmin(server.url);
  const content = '## 标题\n\n**一** 段 `话`\n\n'.repeat(400);
  const essay = { title: '很长的文章', categoryId, content, status: ESSAY_STATUS.waiting };
  const { id } = await callAsAdmin('core/essay/', 'POST', essay, token);
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await callAsAdmin('core/essay/status', 'PUT', { id, status }, token);
  return id;
}

async function makeAttackers(): Promise<Attacker[]> {
  const client = await openClient(dataDir);
  const tokens = await createUsers(client, CLIENTS);
  await client.query(`update users set cur_identity = ${IDENTITY.writer} where display_name like '读者%'`);
  const { rows } = await client.query<{ id: string }>("select id from categories where slug = 'tech'");
  await client.end();
  const categoryId = String(rows[0]?.id).replaceAll('-', '');
  const essayId = await publishLarge(categoryId);
  const imageBombs = await createImageBombs();
  return tokens.map((token, at) => ({
    url: server.url,
    token,
    address: `198.51.100.${at + 1}`,
    essayId,
    categoryId,
    imageBombs,
  }));
}

async function probe(forMs: number): Promise<number[]> {
  const request: Probe = { url: `${server.url}/home`, address: '203.0.113.1', everyMs: EVERY_MS, forMs };
  prober.send(request);
  const [durations] = (await once(prober as ChildProcess, 'message')) as [number[]];
  return durations;
}

let requestIndex = 0;

/** Every connection sends its next request shortly after the response. */
async function attack(attackers: Attacker[], connections: Attack[], forMs: number): Promise<number[]> {
  let isOver = false;
  let sent = 0;
  const ended = attackers.flatMap((attacker) =>
    connections.map(async ({ run }) => {
      while (!isOver) {
        requestIndex += 1;
        sent += 1;
        await run(attacker, requestIndex);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  );
  const durations = await probe(forMs);
  isOver = true;
  abortAll();
  await Promise.all(ended);
  process.stderr.write(`${sent} sent\n`);
  return durations;
}

const rounded = (ms: number): string => (Number.isFinite(ms) ? ms.toFixed(0) : 'no answer');

function print(name: string, durations: number[]): number {
  const p99 = quantile(durations, 0.99);
  console.log(
    `| ${name} | ${rounded(quantile(durations, 0.5))} | ${rounded(p99)} | ${rounded(Math.max(...durations))} |`,
  );
  return p99;
}

/** Waits until the server responds quickly again. */
async function waitUntilIdle(): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    const durations = await measureTimes(5, () => send(`${server.url}/readyz`, {}));
    if (Math.max(...durations) < 30) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  const attackers = await makeAttackers();
  await measureTimes(20, () => send(`${server.url}/home`, { headers: { 'accept-encoding': 'br' } }));
  console.log('| while ten clients send | p50, ms | p99, ms | longest, ms |\n|---|---:|---:|---:|');
  print('nothing', await probe(KIND_MS));
  for (const kind of kinds) {
    print(kind.name, await attack(attackers, Array(CONNECTIONS).fill(kind), KIND_MS));
    await waitUntilIdle();
  }
  const worst = print('all of it', await attack(attackers, kinds, TOGETHER_MS));
  await waitUntilIdle();
  console.log('\n| string | hostile, ms | harmless, ms | ratio |\n|---|---:|---:|---:|');
  for (const { name, hostile, harmless } of stringPairs.filter((pair) => only.test(pair.name))) {
    // Uses IP addresses without previous requests, which have no rate limit yet.
    const from = (at: number): Attacker => ({ ...(attackers[at] as Attacker), address: `192.0.2.${at + 1}` });
    // Restarts threads that the attacks terminated, and ends the pauses of clients.
    for (const at of attackers.keys()) await harmless(from(at));
    const [cost, plain] = [
      quantile(await measureTimes(ROUNDS, (at) => hostile(from(at))), 0.5),
      quantile(await measureTimes(ROUNDS, (at) => harmless(from(at + 5))), 0.5),
    ];
    console.log(`| ${name} | ${cost.toFixed(1)} | ${plain.toFixed(1)} | ${(cost / plain).toFixed(1)} |`);
  }
  console.log(`\ngoal: p99 of ${GOAL_MS} ms with all of it`);
  if (worst > GOAL_MS) process.exitCode = 1;
} finally {
  prober.kill();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
