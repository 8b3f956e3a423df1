/**
 * `node bench/live.ts [people]`: ten thousand people listen over as many connections to one process, a hundred in each
 * room; how much memory a connection takes, and how long a message takes from the call to every listener when two hundred
 * of them are said each second, which are twenty thousand deliveries. Fewer people hear as much less.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openListener } from './listener.ts';
import { processorTime } from './load.ts';
import { quantile } from './measure.ts';
import { makePeople } from './people.ts';
import { callRoom, makeRooms } from './rooms.ts';
import { allowFiles, freePort, openClient, startMozhan, temporaryFolder } from './servers.ts';

const PEOPLE = Number(process.argv[2] ?? 10_000);
const ROOMS = PEOPLE / 100;
const A_SECOND = PEOPLE / 50;
const WARM_SECONDS = 10;
const SECONDS = 30;
const WAY_MS = 2000;
const CONNECTING_AT_ONCE = 50;
const MOST_KILOBYTES = 20;
/** Beside the connections: modules, the database. */
const OTHER_FILES = 1000;
const LONGEST_MS = 250;

allowFiles(PEOPLE + OTHER_FILES);
const dataDir = await temporaryFolder();
const inspector = await freePort();
const server = await startMozhan(dataDir, { NODE_OPTIONS: `--inspect-port=127.0.0.1:${inspector}` });
const sockets: Socket[] = [];

/** Through the server's inspector: what is only waiting to be collected does not count. */
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
const SAID = /"大家好 ([\d.]+)"/;
function heard(packet: string): void {
  if (isMeasuring && packet.startsWith('42["chat"'))
    delays.push(performance.now() - Number(SAID.exec(packet)?.[1]));
}

async function connectAll(tokens: string[], rooms: string[]): Promise<void> {
  const waiting = tokens.entries();
  await Promise.all(
    Array.from({ length: CONNECTING_AT_ONCE }, async () => {
      for (const [at, token] of waiting)
        sockets.push(await openListener(server.url, { token, essayId: rooms[at % ROOMS] ?? '' }, heard));
    }),
  );
}

let said = 0;
/** At an even pace, whether or not those before have been answered. */
async function talk(tokens: string[], rooms: string[], seconds: number): Promise<void> {
  const since = performance.now();
  const answers: Promise<unknown>[] = [];
  for (let at = 0; at < A_SECOND * seconds; at++) {
    const due = since + (at * 1000) / A_SECOND - performance.now();
    if (due > 1) await sleep(due);
    const person = said++ % PEOPLE;
    const given = {
      essayId: rooms[person % ROOMS],
      content: `大家好 ${performance.now()}`,
      clientId: `message-${said}`,
    };
    answers.push(callRoom(server.url, tokens[person] ?? '', 'POST', given));
  }
  await Promise.all(answers);
  // The last ones are on their way.
  await sleep(WAY_MS);
}

const client = await openClient(dataDir);
try {
  const tokens = await makePeople(client, PEOPLE);
  const rooms = await makeRooms(client, ROOMS);
  // A few first, so that what is loaded with the first of them does not count as theirs.
  await connectAll(tokens.slice(0, ROOMS), rooms);
  await talk(tokens, rooms, 2);
  const before = await measureMemory();
  await connectAll(tokens.slice(ROOMS), rooms);
  const each = ((await measureMemory()) - before) / (PEOPLE - ROOMS) / 1024;
  console.log(`${sockets.length} connections, ${each.toFixed(1)} KB each (goal: ${MOST_KILOBYTES})`);

  await talk(tokens, rooms, WARM_SECONDS);
  isMeasuring = true;
  const since = performance.now();
  const used = await processorTime(server);
  await talk(tokens, rooms, SECONDS);
  const after = await processorTime(server);
  const rate = (delays.length * 1000) / (performance.now() - since - WAY_MS);
  const expected = A_SECOND * SECONDS * (PEOPLE / ROOMS);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  console.log(`${delays.length} of ${expected} deliveries, ${Math.round(rate)} a second`);
  const ofCore = (ms: number) => `${(ms / SECONDS / 10).toFixed(0)} %`;
  console.log(
    `of a core: Node ${ofCore(after.node - used.node)}, PostgreSQL ${ofCore(after.database - used.database)}`,
  );
  console.log(`p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (goal: ${LONGEST_MS})`);
  if (delays.length !== expected || each > MOST_KILOBYTES || p99 > LONGEST_MS) process.exitCode = 1;
} finally {
  for (const socket of sockets) socket.destroy();
  await client.end().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
