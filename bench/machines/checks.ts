import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestS3 } from '@mozhan/server/testing/s3.ts';
import type pg from 'pg';
import sharp from 'sharp';
import { listen } from '../rooms.ts';
import { ADMIN_PASSWORD, type Running } from '../servers.ts';
import { call, upload } from './client.ts';
import { killTree, type Mail, type Nginx } from './parts.ts';
import { type Figures, startStream } from './stream.ts';

export interface Place {
  servers: [Running, Running];
  ports: [number, number];
  nginx: Nginx;
  s3: TestS3;
  mail: Mail;
  client: pg.Client;
  /** Of people who are signed in. */
  tokens: string[];
  /** Whose room they talk in. */
  essayId: string;
  start: (at: 0 | 1) => Promise<Running>;
}

interface Check {
  name: string;
  /** Answers with what was seen; throws what did not hold. */
  run: (place: Place) => Promise<string>;
}

function hold(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

/** Waits until it is so; how long that took. */
async function until(
  isSo: () => Promise<boolean> | boolean,
  otherwise: string,
  patience = 20_000,
): Promise<number> {
  const since = performance.now();
  while (!(await isSo())) {
    if (performance.now() - since > patience) throw new Error(otherwise);
    await sleep(20);
  }
  return Math.round(performance.now() - since);
}

const count = async (client: pg.Client, text: string, values: unknown[] = []): Promise<number> =>
  Number((await client.query<{ count: string }>(text, values)).rows[0]?.count);

async function beginTogether({ client, servers }: Place): Promise<string> {
  const admins = await count(client, "select count(*) from accounts where name = 'admin'");
  hold(admins === 1, `${admins} administrators`);
  // From now on it is written down what is put into the queue.
  await client.query(`
    create table topology_jobs (task text, at timestamptz not null default clock_timestamp());
    create function topology_note() returns trigger language plpgsql as $$ begin
      insert into topology_jobs (task) select identifier from graphile_worker._private_tasks where id = new.task_id;
      return null;
    end $$;
    create trigger topology_note after insert on graphile_worker._private_jobs
      for each row execute function topology_note()`);
  return `${servers.length} servers came up on nothing, with one administrator`;
}

async function sameAccount({ servers: [a, b] }: Place): Promise<string> {
  const given = { account: `topology-${Date.now()}`, password: 'correct horse 电池' };
  const registered = await call(a.url, 'POST core/user/', given);
  hold(registered.status === 200, `registering was answered ${registered.errorCode}`);
  const { token } = registered;
  const seen = await call(b.url, 'GET core/user/', {}, { token });
  hold(
    seen.status === 200 && 'id' in seen.data && seen.data.id === registered.data.id,
    'the other server does not know who has registered',
  );
  await call(b.url, 'DELETE core/account/login', {}, { token });
  for (let nth = 0; nth < 10; nth++) {
    const after = await call(a.url, 'GET core/user/', {}, { token });
    hold(after.status === 401, `signed out at one, the other answers ${after.status}`);
  }
  return 'registered at one, known to the other, signed out there, unknown to both';
}

const LIMIT = 10;

async function sharedLimit({ servers }: Place): Promise<string> {
  const answers = await Promise.all(
    Array.from({ length: LIMIT * 4 }, (_, nth) =>
      call(
        servers[nth % 2 === 0 ? 0 : 1].url,
        'POST core/account/code',
        { purpose: 'login', target: `nobody-${nth}@site.test` },
        { address: '203.0.113.7' },
      ),
    ),
  );
  const passed = answers.filter(({ status }) => status !== 429).length;
  hold(passed === LIMIT, `${passed} passed where ${LIMIT} may`);
  return `of ${answers.length} at once over both, ${passed} passed`;
}

async function droppedPages({ servers: [a, b] }: Place): Promise<string> {
  const admin = await call(a.url, 'POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  const token = admin.token;
  const title = async (url: string) =>
    /<title>([^<]*)/.exec(await (await fetch(`${url}/home`)).text())?.[1] ?? '';
  // Each connection may come to another process of a server.
  const titles = (url: string) => Promise.all(Array.from({ length: 16 }, () => title(url)));
  let slowest = 0;
  for (const name of ['砚边', '墨池', '纸上']) {
    await Promise.all([titles(a.url), titles(b.url)]);
    const { status } = await call(a.url, 'PUT core/sys/setting/', { title: name }, { token });
    hold(status === 200, `the change was answered ${status}`);
    const areNew = async () =>
      (await Promise.all([titles(a.url), titles(b.url)])).flat().every((shown) => shown.includes(name));
    slowest = Math.max(slowest, await until(areNew, 'an old page is still shown'));
    hold(await areNew(), 'an old page came back');
  }
  return `three changes seen by all four processes, the slowest within ${slowest} ms`;
}

const MAILS = 120;

async function jobsOnce({ client, mail }: Place): Promise<string> {
  await client.query(
    `select graphile_worker.add_job('send-mail', payload => json_build_object(
       'to', 'reader-' || n || '@site.test', 'subject', '第 ' || n || ' 封', 'text', '你好'))
     from generate_series(1, $1::int) n`,
    [MAILS],
  );
  await until(() => mail.received.length >= MAILS, `${mail.received.length} of ${MAILS} mails came`);
  // A second one would come at about the same time.
  await sleep(1000);
  const sent = new Set(mail.received);
  hold(
    sent.size === MAILS && mail.received.length === MAILS,
    `${mail.received.length} mails, ${sent.size} kinds`,
  );
  return `${MAILS} jobs, ${mail.received.length} mails, each once`;
}

async function sharedFiles({ servers: [a, b], nginx, s3, tokens: [token = ''] }: Place): Promise<string> {
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#ff6968' } })
    .png()
    .toBuffer();
  const hashOf = async (url: string) => {
    const response = await fetch(url);
    const content = Buffer.from(await response.arrayBuffer());
    hold(response.status === 200 && content.length > 100, `${url} was answered ${response.status}`);
    hold(/immutable/.test(response.headers.get('cache-control') ?? ''), 'a file may not be kept');
    return createHash('sha256').update(content).digest('hex');
  };
  const sent = await upload(a.url, picture, token);
  const hashes = await Promise.all(
    [a.url, b.url, nginx.url].flatMap((url) => [hashOf(url + sent.url), hashOf(url + sent.thumbUrl)]),
  );
  hold(new Set(hashes).size === 2, 'a file is another one elsewhere');
  const given = { name: 'a.png', type: 'image/png', size: picture.length };
  const { data: place } = await call(a.url, 'GET core/sys/oss/sign', given, { token });
  hold(place.url.startsWith(s3.url), 'no place in the store');
  const { method, headers } = place;
  const put = await fetch(place.url, { method, headers, body: new Uint8Array(picture) });
  hold(put.status === 200, `the store answered ${put.status}`);
  const { data } = await call(b.url, 'POST core/minio/done', { ticket: place.ticket }, { token });
  hold(data?.path === sent.path, 'sent directly, it became another file');
  return 'sent to one, read from both; sent to the store by one’s leave, taken by the other';
}

const LISTENERS = 6;
const WORDS = 20;

async function liveEverywhere({ servers: [a, b], tokens, essayId }: Place): Promise<string> {
  const heard: string[][] = [];
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, (_, nth) => {
      const mine: string[] = [];
      heard.push(mine);
      return new Promise<ReturnType<typeof listen>>((resolve) => {
        const socket = listen(
          nth % 2 === 0 ? a.url : b.url,
          { token: tokens[nth % tokens.length] ?? '', essayId },
          { message: ({ clientId }) => mine.push(clientId ?? ''), joined: () => resolve(socket) },
        );
      });
    }),
  );
  const said: string[] = [];
  for (let nth = 0; nth < WORDS; nth++) {
    const clientId = `live-${nth}-${Date.now()}`;
    said.push(clientId);
    const given = { essayId, content: `第 ${nth} 句`, clientId };
    const token = tokens.at(-1) ?? '';
    const { status } = await call(nth % 2 === 0 ? b.url : a.url, 'POST core/essay/group/chat', given, {
      token,
    });
    hold(status === 200, `saying was answered ${status}`);
  }
  await until(() => heard.every((mine) => mine.length >= WORDS), 'not everyone heard everything');
  for (const socket of sockets) socket.disconnect();
  const isSame = heard.every((mine) => mine.join() === said.join());
  hold(isSame, 'some heard other things, or in another order');
  return `${WORDS} words at either, heard once and in order by ${LISTENERS} at both`;
}

/** What was answered as done is there, once. */
async function countStored(client: pg.Client, said: string[]): Promise<number> {
  const text = 'select count(*) from chat_messages where client_id = any($1)';
  const stored = await count(client, text, [said]);
  hold(stored === said.length, `${said.length} words answered, ${stored} stored`);
  return stored;
}

const summary = ({ pages, reads, writes, lostReads, lostWrites }: Figures): string =>
  `${pages} pages, ${reads} calls, ${writes} writes; lost ${lostReads.length} reads, ${lostWrites.length} writes`;

async function killed(place: Place): Promise<string> {
  const { nginx, servers, tokens, essayId, client } = place;
  const stream = startStream(nginx.url, { tokens, essayId });
  await sleep(3000);
  await nginx.countByServer();
  const underWay = stream.countWriting();
  killTree(servers[0].pid);
  await sleep(5000);
  const alone = await nginx.countByServer();
  servers[0] = await place.start(0);
  await nginx.countByServer();
  await sleep(4000);
  const again = await nginx.countByServer();
  const figures = await stream.stop();
  const { lostReads, lostWrites } = figures;
  hold(lostReads.length === 0, `reads were lost: ${lostReads.slice(0, 3).join(', ')}; ${summary(figures)}`);
  hold(
    lostWrites.length <= underWay,
    `${underWay} writes under way, lost: ${lostWrites.slice(0, 5).join(', ')}`,
  );
  await countStored(client, stream.said);
  const [first, second] = place.ports;
  hold((alone.get(second) ?? 0) > 50, 'the other server did not go on');
  hold((again.get(first) ?? 0) > 20, 'the killed server did not come back');
  return `${summary(figures)} (${underWay} writes were under way)`;
}

/** `fail_timeout` of nginx, and a little. */
const FORGIVEN_MS = 3000;

async function restarted(place: Place): Promise<string> {
  const { nginx, servers, tokens, essayId, client } = place;
  const stream = startStream(nginx.url, { tokens: tokens.slice(4), essayId });
  await sleep(2000);
  for (const at of [0, 1] as const) {
    await servers[at].stop();
    servers[at] = await place.start(at);
    // So long nginx may still take it for dead.
    await sleep(FORGIVEN_MS);
  }
  const figures = await stream.stop();
  const { lostReads, lostWrites } = figures;
  const lost = [...lostReads, ...lostWrites];
  hold(lost.length === 0, `lost: ${lost.slice(0, 5).join(', ')}; ${summary(figures)}`);
  await countStored(client, stream.said);
  return summary(figures);
}

/** By now some minutes have begun, with two, one or four processes that all want to do what is due. */
async function scheduledOnce({ client }: Place): Promise<string> {
  const seen = "select count(*) from topology_jobs where task = 'expire-sign-ins'";
  await until(async () => (await count(client, seen)) > 0, 'nothing was due', 90_000);
  // A second one would come at about the same time.
  await sleep(1000);
  const { rows } = await client.query<{ minutes: string; most: string }>(
    `select count(*) as minutes, max(times) as most from (
       select date_trunc('minute', at) as minute, count(*) as times
       from topology_jobs where task = 'expire-sign-ins' group by 1) each_minute`,
  );
  const { minutes = '0', most = '0' } = rows[0] ?? {};
  hold(Number(most) === 1, `due once, done ${most} times`);
  return `in ${minutes} minutes what is due each minute was done once in each`;
}

export const checks: Check[] = [
  { name: 'first start of both at once', run: beginTogether },
  { name: 'one account at both', run: sameAccount },
  { name: 'limits are shared exactly', run: sharedLimit },
  { name: 'changed pages are dropped everywhere', run: droppedPages },
  { name: 'queued jobs run once', run: jobsOnce },
  { name: 'files are shared', run: sharedFiles },
  { name: 'live events reach everyone', run: liveEverywhere },
  { name: 'one server killed (-9)', run: killed },
  { name: 'both restarted, one after the other', run: restarted },
  { name: 'scheduled jobs run once', run: scheduledOnce },
];
