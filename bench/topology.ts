/**
 * `node bench/topology.ts`: people talk in rooms through a proxy before two processes, of which one or the other is killed
 * again and again. Each page keeps its list as the site's pages do: it takes what it hears, and asks from its last number
 * on when one is missing or the connection was lost. At the end every page has the same list as the database: complete,
 * in order, each message once.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatMessage, ChatMessages } from '@mozhan/contract/chats.ts';
import { newKeyText } from '@mozhan/server/secrets/encryption.ts';
import { emptyLog, isBehind, lastSeq, merge, receive } from '@mozhan/web/features/conversations/log.ts';
import pg from 'pg';
import { makePeople } from './people.ts';
import { callRoom, listen, makeRooms } from './rooms.ts';
import { type Running, startDatabase, startMozhan, temporaryFolder } from './servers.ts';

const ROOMS = 3;
const PEOPLE = 60;
const KILLS = 10;
/** Between two kills, once both are up again, there is at least so much talk and time. */
const CALM_MESSAGES = 200;
const CALM_MS = 3000;
const PAUSE_MS = 200;

const dataDir = await temporaryFolder();
const database = await startDatabase(dataDir);
const SECRET_KEY = newKeyText();
const start = (): Promise<Running> => startMozhan(dataDir, { DATABASE_URL: database.url, SECRET_KEY });

/** Those that are up. */
const servers = new Set<Running>();
let turn = 0;

/** To one after the other, passing over one that does not answer. */
async function forward(client: Socket): Promise<void> {
  client.on('error', () => {});
  const all = [...servers];
  for (let attempt = 0; attempt < all.length; attempt++) {
    const server = connect(Number(new URL(all[turn++ % all.length]?.url ?? '').port), '127.0.0.1');
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
const figures = { said: 0, heard: 0, fetched: 0, joined: 0 };

/** One page of one person in one room. */
function openPage(person: { token: string; essayId: string; at: number }) {
  const { token, essayId, at } = person;
  let log = emptyLog;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    for (let isBack = false; !isBack; ) {
      const given = { essayId, after: lastSeq(log), limit: 100 };
      const answer = await callRoom<ChatMessages>(url, token, 'GET', given);
      if (answer === null) {
        await sleep(PAUSE_MS);
        continue;
      }
      figures.fetched += answer.list.length;
      log = merge(log, answer);
      isBack = !answer.more;
    }
  }
  const catchUp = (): Promise<void> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  function take(message: ChatMessage): void {
    log = receive(log, message);
    if (isBehind(log)) void catchUp();
  }
  const socket = listen(
    url,
    { token, essayId },
    {
      message(message) {
        figures.heard += 1;
        take(message);
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
    /** With the same number again until there is an answer. */
    async talk(): Promise<void> {
      for (let nth = 0; !isOver; nth++) {
        const given = { essayId, content: `${at} 号的第 ${nth} 句`, clientId: `page-${at}-${nth}` };
        let message: ChatMessage | null = null;
        while (message === null) {
          message = await callRoom<ChatMessage>(url, token, 'POST', given);
          if (message === null) await sleep(PAUSE_MS);
        }
        figures.said += 1;
        take(message);
        await sleep(PAUSE_MS * (0.5 + Math.random()));
      }
    },
    async settle(): Promise<void> {
      await asking;
      await catchUp();
      socket.disconnect();
    },
  };
}
type Page = ReturnType<typeof openPage>;

async function killByTurns(): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = figures.said + CALM_MESSAGES;
    do await sleep(CALM_MS);
    while (figures.said < enough);
    const [oldest] = servers;
    if (oldest === undefined) throw new Error('no server');
    process.kill(oldest.pid, 'SIGKILL');
    process.stderr.write(`killed at ${figures.said} … `);
    servers.delete(oldest);
    servers.add(await start());
  }
  await sleep(CALM_MS);
  process.stderr.write('\n');
}

/** How many pages do not have what the database has. */
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
    const shown = messages().map(({ seq, id }) => `${seq} ${id}`);
    if (stored.length === 0 || stored.join() !== shown.join()) different += 1;
  }
  const stored = rows.length;
  const isGapless = [...lists.values()].every((list) => list.every(({ seq }, at) => Number(seq) === at + 1));
  console.log(
    `${figures.said} messages answered, ${stored} stored, numbers ${isGapless ? 'without' : 'with'} gaps`,
  );
  return stored === figures.said && isGapless ? different : pages.length;
}

const client = new pg.Client(database.connection);
try {
  for (let nth = 0; nth < 2; nth++) servers.add(await start());
  await client.connect();
  const tokens = await makePeople(client, PEOPLE);
  const rooms = await makeRooms(client, ROOMS);
  const pages = tokens.map((token, at) => openPage({ token, essayId: rooms[at % ROOMS] ?? '', at }));
  const talking = Promise.all(pages.map((page) => page.talk()));
  await killByTurns();
  isOver = true;
  await talking;
  await Promise.all(pages.map((page) => page.settle()));
  const different = await countDifferent(client, pages);
  const { heard, fetched, joined } = figures;
  console.log(
    `${KILLS} kills, ${joined} joinings, ${heard} heard, ${fetched} fetched by ${pages.length} pages`,
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
