/**
 * `node bench/live.ts [users]`: ten thousand users listen over one connection each to one process, a hundred per room.
 * Measures memory per connection, and the delay from call to every listener at two hundred messages per second, which
 * are twenty thousand deliveries. Fewer users reduce the rate proportionally.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openListener } from './listener.ts';
import { cpuTime } from './load.ts';
import { quantile } from './measure.ts';
import { callRoom, createRooms } from './rooms.ts';
import { freePort, openClient, raiseFileLimit, startMozhan, temporaryFolder } from './servers.ts';
import { createUsers } from './users.ts';

const USER_COUNT = Number(process.argv[2] ?? 10_000);
const ROOMS = USER_COUNT / 100;
const MESSAGES_PER_SECOND = USER_COUNT / 50;
const WARM_SECONDS = 10;
const SECONDS = 30;
const DELIVERY_WAIT_MS = 2000;
const CONCURRENT_CONNECTS = 50;
const MAX_KILOBYTES = 20;
/** Open files other than connections: modules, database. */
const OTHER_FILES = 1000;
const MAX_P99_MS = 250;

raiseFileLimit(USER_COUNT + OTHER_FILES);
const dataDir = await temporaryFolder();
const inspector = await freePort();
const server = await startMozhan(dataDir, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspector}` });
const sockets: Socket[] = [];

/** Triggers garbage collection through the server's inspector, so that garbage is not counted. */
async function collectGarbage(): Promise<void> {
  process.kill(server.pid, 'SIGUSR1');
  await sleep(1000);
  const [target] = await (await fetch(`http://127.0.0.1:${inspector}/json`)).json();
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  for (const id of [1, 2]) {
    socket.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await once(socket, 'message');
  }
  socket.close();
}

async function measureMemory(): Promise<number> {
  await sleep(3000);
  await collectGarbage();
  await sleep(3000);
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(text.match(/^process_resident_memory_bytes (\S+)/m)?.[1]);
}

const delays: number[] = [];
let isMeasuring = false;
const SENT_AT = /"大家好 ([\d.]+)"/;
function onPacket(packet: string): void {
  if (isMeasuring && packet.startsWith('42["chat"'))
    delays.push(performance.now() - Number(SENT_AT.exec(packet)?.[1]));
}

async function connectAll(tokens: string[], rooms: string[]): Promise<void> {
  const waiting = tokens.entries();
  await Promise.all(
    Array.from({ length: CONCURRENT_CONNECTS }, async () => {
      for (const [at, token] of waiting)
        sockets.push(await openListener(server.url, { token, essayId: rooms[at % ROOMS] ?? '' }, onPacket));
    }),
  );
}

let sentCount = 0;
/** Sends at a constant rate, independent of responses. */
async function sendMessages(tokens: string[], rooms: string[], seconds: number): Promise<void> {
  const since = performance.now();
  const answers: Promise<unknown>[] = [];
  for (let at = 0; at < MESSAGES_PER_SECOND * seconds; at++) {
    const due = since + (at * 1000) / MESSAGES_PER_SECOND - performance.now();
    if (due > 1) await sleep(due);
    const person = sentCount++ % USER_COUNT;
    const message = {
      essayId: rooms[person % ROOMS],
      content: `大家好 ${performance.now()}`,
      clientId: `message-${sentCount}`,
    };
    answers.push(callRoom(server.url, tokens[person] ?? '', 'POST', message));
  }
  await Promise.all(answers);
  // Waits for the last deliveries.
  await sleep(DELIVERY_WAIT_MS);
}

const client = await openClient(dataDir);
try {
  const tokens = await createUsers(client, USER_COUNT);
  const rooms = await createRooms(client, ROOMS);
  // A few connections first, so that code loaded on first use is not counted.
  await connectAll(tokens.slice(0, ROOMS), rooms);
  await sendMessages(tokens, rooms, 2);
  const before = await measureMemory();
  await connectAll(tokens.slice(ROOMS), rooms);
  const each = ((await measureMemory()) - before) / (USER_COUNT - ROOMS) / 1024;
  console.log(`${sockets.length} connections, ${each.toFixed(1)} KB each (goal: ${MAX_KILOBYTES})`);

  await sendMessages(tokens, rooms, WARM_SECONDS);
  isMeasuring = true;
  const since = performance.now();
  const used = await cpuTime(server);
  await sendMessages(tokens, rooms, SECONDS);
  const after = await cpuTime(server);
  const rate = (delays.length * 1000) / (performance.now() - since - DELIVERY_WAIT_MS);
  const expected = MESSAGES_PER_SECOND * SECONDS * (USER_COUNT / ROOMS);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  console.log(`${delays.length} of ${expected} deliveries, ${Math.round(rate)} a second`);
  const ofCore = (ms: number) => `${(ms / SECONDS / 10).toFixed(0)} %`;
  console.log(
    `of a core: Node ${ofCore(after.node - used.node)}, PostgreSQL ${ofCore(after.database - used.database)}`,
  );
  console.log(`p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal: ${MAX_P99_MS})`);
  if (delays.length !== expected || each > MAX_KILOBYTES || p99 > MAX_P99_MS) process.exitCode = 1;
} finally {
  for (const socket of sockets) socket.destroy();
  await client.end().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
