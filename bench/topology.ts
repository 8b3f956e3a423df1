/**
 * `node bench/topology.ts`: users chat in rooms through a proxy in front of two processes, which are killed in turn.
 * Each page maintains its list with the site's own code: it applies live messages, and fetches from its last number when
 * one is missing or the connection was lost. Checks that every page ends with the same list as the database: complete,
 * in order, without duplicates.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';
import { newKeyText } from '@mozhan/server/secrets/encryption.ts';
import {
  applyMessage,
  emptyLog,
  isBehind,
  lastSeq,
  mergeResponse,
} from '@mozhan/web/features/conversations/message-log.ts';
import pg from 'pg';
import { callRoom, createRooms, listen } from './rooms.ts';
import { type RunningServer, startDatabase, startMozhan, temporaryFolder } from './servers.ts';
import { createUsers } from './users.ts';

const ROOMS = 3;
const USER_COUNT = 60;
const KILLS = 10;
/** Minimum messages and time between two kills, after both servers are up. */
const CALM_MESSAGES = 200;
const CALM_MS = 3000;
const PAUSE_MS = 200;

const dataDir = await temporaryFolder();
const database = await startDatabase(dataDir);
const SECRET_KEY = newKeyText();
const start = (): Promise<RunningServer> => startMozhan(dataDir, { DATABASE_URL: database.url, SECRET_KEY });

const servers = new Set<RunningServer>();
let nextServer = 0;

/** Round robin, skipping servers that do not accept the connection. */
async function forward(client: Socket): Promise<void> {
  client.on('error', () => {});
  const all = [...servers];
  for (let attempt = 0; attempt < all.length; attempt++) {
    const server = connect(Number(new URL(all[nextServer++ % all.length]?.url ?? '').port), '127.0.0.1');
    const isOpen = await once(server, 'connect').then(
      () => true,
      () => false,
    );
    if (!isOpen) continue;
    server.on('error', () => {});
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    client.pipe(server).pipe(client);
    return;
  }
  client.destroy();
}

const proxy = createServer((client) => void forward(client)).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

let isOver = false;
const figures = { sent: 0, received: 0, fetched: 0, joined: 0 };

function openPage(person: { token: string; essayId: string; at: number }) {
  const { token, essayId, at } = person;
  let log = emptyLog;
  let fetching: Promise<void> | undefined;

  async function ask(): Promise<void> {
    for (let isBack = false; !isBack; ) {
      const input = { essayId, after: lastSeq(log), limit: 100 };
      const answer = await callRoom<ChatMessages>(url, token, 'GET', input);
      if (answer === null) {
        await sleep(PAUSE_MS);
        continue;
      }
      figures.fetched += answer.list.length;
      log = mergeResponse(log, answer);
      isBack = !answer.more;
    }
  }
  const catchUp = (): Promise<void> => {
    fetching ??= ask().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
  function apply(message: ChatMessage): void {
    log = applyMessage(log, message);
    if (isBehind(log)) void catchUp();
  }
  const socket = listen(
    url,
    { token, essayId },
    {
      message(message) {
        figures.received += 1;
        apply(message);
      },
      joined() {
        figures.joined += 1;
        void catchUp();
      },
    },
  );

  return {
    essayId,
    socket,
    messages: () => log.messages,
    /** Retries with the same client id until there is a response. */
    async talk(): Promise<void> {
      for (let nth = 0; !isOver; nth++) {
        const input = { essayId, content: `${at} 号的第 ${nth} 句`, clientId: `page-${at}-${nth}` };
        let message: ChatMessage | null = null;
        while (message === null) {
          message = await callRoom<ChatMessage>(url, token, 'POST', input);
          if (message === null) await sleep(PAUSE_MS);
        }
        figures.sent += 1;
        apply(message);
        await sleep(PAUSE_MS * (0.5 + Math.random()));
      }
    },
    async finish(): Promise<void> {
      await fetching;
      await catchUp();
      socket.disconnect();
    },
  };
}
type Page = ReturnType<typeof openPage>;

async function killInTurn(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = figures.sent + CALM_MESSAGES;
    do await sleep(CALM_MS);
    while (figures.sent < enough);
    const [oldest] = servers;
    if (oldest === undefined) throw new Error('no server');
    process.kill(oldest.pid, 'SIGKILL');
    process.stderr.write(`killed at ${figures.sent} … `);
    servers.delete(oldest);
    servers.add(await start());
  }
  await sleep(CALM_MS);
  process.stderr.write('\n');
}

async function countDifferent(client: pg.Client, pages: Page[]): Promise<number> {
  const { rows } = await client.query<{ essay_id: string; seq: string; id: string }>(
    `select essay_id, seq, m.id from chat_messages m join conversations c on c.id = m.conversation_id
     where essay_id is not null order by essay_id, seq`,
  );
  const plain = (id: string) => id.replaceAll('-', '');
  const lists = Map.groupBy(rows, (row) => plain(row.essay_id));
  let different = 0;
  for (const { essayId, messages } of pages) {
    const stored = lists.get(essayId)?.map(({ id }, at) => `${at + 1} ${plain(id)}`) ?? [];
    const displayed = messages().map(({ seq, id }) => `${seq} ${id}`);
    if (stored.length === 0 || stored.join() !== displayed.join()) different += 1;
  }
  const stored = rows.length;
  const isGapless = [...lists.values()].every((list) => list.every(({ seq }, at) => Number(seq) === at + 1));
  console.log(
    `${figures.sent} messages answered, ${stored} stored, numbers ${isGapless ? 'without' : 'with'} gaps`,
  );
  return stored === figures.sent && isGapless ? different : pages.length;
}

const client = new pg.Client(database.connection);
try {
  for (let nth = 0; nth < 2; nth++) servers.add(await start());
  await client.connect();
  const tokens = await createUsers(client, USER_COUNT);
  const rooms = await createRooms(client, ROOMS);
  const pages = tokens.map((token, at) => openPage({ token, essayId: rooms[at % ROOMS] ?? '', at }));
  const talking = Promise.all(pages.map((page) => page.talk()));
  await killInTurn();
  isOver = true;
  await talking;
  await Promise.all(pages.map((page) => page.finish()));
  const different = await countDifferent(client, pages);
  const { received, fetched, joined } = figures;
  console.log(
    `${KILLS} kills, ${joined} joinings, ${received} received, ${fetched} fetched by ${pages.length} pages`,
  );
  console.log(`${different} pages differ from the database`);
  if (different > 0) process.exitCode = 1;
} finally {
  proxy.close();
  await client.end().catch(() => {});
  for (const server of servers) await server.stop();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
