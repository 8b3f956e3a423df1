/**
 * `node bench/hostile.ts [expression]`: ten clients, each with an account and an address of its own, send the worst
 * input there is within the default limits, while a process of its own asks for a cached page. First each kind of attack
 * by itself, then all together; then what hostile strings cost beside harmless ones of the same length. Loopback only.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { type Attack, type Attacker, attacks, makeBombs, pairs } from './attacks.ts';
import { quantile, times } from './measure.ts';
import { makePeople, signInAdmin } from './people.ts';
import type { Probe } from './prober.ts';
import { breakOff, send } from './send.ts';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';

const CLIENTS = 10;
/** Of each client, for one kind of attack; for all together one of each kind. */
const CONNECTIONS = 4;
const KIND_MS = 4000;
const TOGETHER_MS = 20_000;
const EVERY_MS = 20;
const GOAL_MS = 250;
const ROUNDS = 5;

/** Only the attacks and strings whose name fits the given expression. */
const only = new RegExp(process.argv[2] ?? '');
const kinds = attacks.filter(({ name }) => only.test(name));

const dataDir = await temporaryFolder();
const server = await startMozhan(dataDir, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
const prober = fork(join(import.meta.dirname, 'prober.ts'), {
  execArgv: process.execArgv,
  // Requests that were never answered are `Infinity`, which JSON cannot send.
  serialization: 'advanced',
});
// Attackers have machines of their own in reality: here they take what the server leaves.
setPriority(10);

async function askAdmin(
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

/** An essay on the shelf whose page is large, but which is laid out before the time limit. */
async function publishLarge(categoryId: string): Promise<string> {
  const token = await signInAdmin(server.url);
  const content = '## 标题\n\n**一** 段 `话`\n\n'.repeat(400);
  const essay = { title: '很长的文章', categoryId, content, status: ESSAY_STATUS.waiting };
  const { id } = await askAdmin('core/essay/', 'POST', essay, token);
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await askAdmin('core/essay/status', 'PUT', { id, status }, token);
  return id;
}

async function makeAttackers(): Promise<Attacker[]> {
  const client = await openClient(dataDir);
  const tokens = await makePeople(client, CLIENTS);
  await client.query(`update users set cur_identity = ${IDENTITY.writer} where display_name like '读者%'`);
  const { rows } = await client.query<{ id: string }>("select id from categories where slug = 'tech'");
  await client.end();
  const categoryId = String(rows[0]?.id).replaceAll('-', '');
  const essayId = await publishLarge(categoryId);
  const bombs = await makeBombs();
  return tokens.map((token, at) => ({
    url: server.url,
    token,
    address: `198.51.100.${at + 1}`,
    essayId,
    categoryId,
    bombs,
  }));
}

async function probe(forMs: number): Promise<number[]> {
  const asked: Probe = { url: `${server.url}/home`, address: '203.0.113.1', everyMs: EVERY_MS, forMs };
  prober.send(asked);
  const [taken] = (await once(prober as ChildProcess, 'message')) as [number[]];
  return taken;
}

let turn = 0;

/** Every connection sends the next as soon as it is answered; one that is refused waits a little, as the flood goes on anyway. */
async function attack(attackers: Attacker[], connections: Attack[], forMs: number): Promise<number[]> {
  let isOver = false;
  let sent = 0;
  const ended = attackers.flatMap((attacker) =>
    connections.map(async ({ run }) => {
      while (!isOver) {
        turn += 1;
        sent += 1;
        await run(attacker, turn);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }),
  );
  const taken = await probe(forMs);
  isOver = true;
  breakOff();
  await Promise.all(ended);
  process.stderr.write(`${sent} sent\n`);
  return taken;
}

const rounded = (ms: number): string => (Number.isFinite(ms) ? ms.toFixed(0) : 'no answer');

function print(name: string, taken: number[]): number {
  const p99 = quantile(taken, 0.99);
  console.log(
    `| ${name} | ${rounded(quantile(taken, 0.5))} | ${rounded(p99)} | ${rounded(Math.max(...taken))} |`,
  );
  return p99;
}

/** The server has nothing left to do when it answers quickly again. */
async function calm(): Promise<void> {
  for (let tries = 0; tries < 30; tries++) {
    const taken = await times(5, () => send(`${server.url}/readyz`, {}));
    if (Math.max(...taken) < 30) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  const attackers = await makeAttackers();
  await times(20, () => send(`${server.url}/home`, { headers: { 'accept-encoding': 'br' } }));
  console.log('| while ten clients send | p50, ms | p99, ms | longest, ms |\n|---|---:|---:|---:|');
  print('nothing', await probe(KIND_MS));
  for (const kind of kinds) {
    print(kind.name, await attack(attackers, Array(CONNECTIONS).fill(kind), KIND_MS));
    await calm();
  }
  const worst = print('all of it', await attack(attackers, kinds, TOGETHER_MS));
  await calm();
  console.log('\n| string | hostile, ms | harmless, ms | ratio |\n|---|---:|---:|---:|');
  for (const { name, hostile, harmless } of pairs.filter((pair) => only.test(pair.name))) {
    // From addresses that have sent nothing yet.
    const from = (at: number): Attacker => ({ ...(attackers[at] as Attacker), address: `192.0.2.${at + 1}` });
    // Threads that the attacks ended are started again, and who made them pause is served again.
    for (const at of attackers.keys()) await harmless(from(at));
    const [cost, plain] = [
      quantile(await times(ROUNDS, (at) => hostile(from(at))), 0.5),
      quantile(await times(ROUNDS, (at) => harmless(from(at + 5))), 0.5),
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
