import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestS3 } from '@mozhan/server/testing/s3.ts';
import type pg from 'pg';
import sharp from 'sharp';
import { listen } from '../rooms.ts';
import { ADMIN_PASSWORD, type RunningServer, temporaryFolder } from '../servers.ts';
import { call, upload } from './client.ts';
import { killTree, type Mail, type Nginx, startNginx } from './services.ts';
import { startTraffic, type TrafficFigures } from './traffic.ts';

export interface Cluster {
  servers: [RunningServer, RunningServer];
  ports: [number, number];
  nginx: Nginx;
  s3: TestS3;
  mail: Mail;
  client: pg.Client;
  tokens: string[];
  essayId: string;
  start: (at: 0 | 1) => Promise<RunningServer>;
}

interface Check {
  name: string;
  /** Returns a description of the result; throws when the check fails. */
  run: (place: Cluster) => Promise<string>;
}

function check(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}

/** Waits for the condition; returns the waiting time in milliseconds. */
async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  otherwise: string,
  timeoutMs = 20_000,
): Promise<number> {
  const since = performance.now();
  while (!(await condition())) {
    if (performance.now() - since > timeoutMs) throw new Error(otherwise);
    await sleep(20);
  }
  return Math.round(performance.now() - since);
}

const count = async (client: pg.Client, text: string, values: unknown[] = []): Promise<number> =>
  Number((await client.query<{ count: string }>(text, values)).rows[0]?.count);

async function concurrentStart({ client, servers }: Cluster): Promise<string> {
  const admins = await count(client, "select count(*) from accounts where name = 'admin'");
  check(admins === 1, `${admins} administrators`);
  // Records every job added to the queue from now on.
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

async function sameAccount({ servers: [a, b] }: Cluster): Promise<string> {
  const input = { account: `topology-${Date.now()}`, password: 'correct horse 电池' };
  const registered = await call(a.url, 'POST core/user/', input);
  check(registered.status === 200, `registering was answered ${registered.errorCode}`);
  const { token } = registered;
  const seen = await call(b.url, 'GET core/user/', {}, { token });
  check(
    seen.status === 200 && 'id' in seen.data && seen.data.id === registered.data.id,
    'the other server does not know who has registered',
  );
  await call(b.url, 'DELETE core/account/login', {}, { token });
  for (let nth = 0; nth < 10; nth++) {
    const after = await call(a.url, 'GET core/user/', {}, { token });
    check(after.status === 401, `signed out at one, the other answers ${after.status}`);
  }
  return 'registered at one, known to the other, signed out there, unknown to both';
}

const LIMIT = 10;

async function sharedLimit({ servers }: Cluster): Promise<string> {
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
  check(passed === LIMIT, `${passed} passed where ${LIMIT} may`);
  return `of ${answers.length} at once over both, ${passed} passed`;
}

async function invalidatedPages({ servers: [a, b] }: Cluster): Promise<string> {
  const admin = await call(a.url, 'POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  const token = admin.token;
  const title = async (url: string) =>
    /<title>([^<]*)/.exec(await (await fetch(`${url}/home`)).text())?.[1] ?? '';
  // Each connection may reach another process of a server.
  const titles = (url: string) => Promise.all(Array.from({ length: 16 }, () => title(url)));
  let slowest = 0;
  for (const name of ['砚边', '墨池', '纸上']) {
    await Promise.all([titles(a.url), titles(b.url)]);
    const { status } = await call(a.url, 'PUT core/sys/setting/', { title: name }, { token });
    check(status === 200, `the change was answered ${status}`);
    const areNew = async () =>
      (await Promise.all([titles(a.url), titles(b.url)])).flat().every((title) => title.includes(name));
    slowest = Math.max(slowest, await waitUntil(areNew, 'an old page is still served'));
    check(await areNew(), 'an old page came back');
  }
  return `three changes seen by all four processes, the slowest within ${slowest} ms`;
}

/** Longer than nginx keeps a page. */
const PAGE_CACHE_MS = 3000;

/** Requests a page continuously, because only such a page could stay in the cache of nginx. */
async function nginxPageCache({ servers: [a], ports, tokens }: Cluster): Promise<string> {
  const folder = await temporaryFolder();
  const nginx = await startNginx(join(folder, 'nginx'), ports, { cachesPages: true });
  const get = (path: string, headers: Record<string, string> = {}) => fetch(nginx.url + path, { headers });
  const cacheState = (response: Response) => response.headers.get('x-cache');
  const admin = await call(a.url, 'POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
  const changeSwitch = async (maintenance: boolean) => {
    const answer = await call(a.url, 'PUT core/sys/switch/', { maintenance }, { token: admin.token });
    check(answer.status === 200, `the switch was answered ${answer.status}`);
  };
  /** Waits until the page is as expected, and checks that it stays so. */
  const becomes = async (isExpected: (status: number, html: string) => boolean, otherwise: string) => {
    const request = async () => {
      const pages = await Promise.all(Array.from({ length: 8 }, () => get('/home')));
      const texts = await Promise.all(pages.map((page) => page.text()));
      return pages.every((page, at) => isExpected(page.status, texts[at] ?? ''));
    };
    const ms = await waitUntil(request, otherwise);
    for (const end = performance.now() + PAGE_CACHE_MS; performance.now() < end; )
      check(await request(), `${otherwise} again`);
    return ms;
  };
  try {
    await waitUntil(async () => cacheState(await get('/home')) === 'HIT', 'no page came from the cache');
    const { etag = '' } = Object.fromEntries((await get('/home')).headers);
    const isUnchanged = async () => {
      const response = await get('/home', { 'if-none-match': etag });
      return response.status === 304 && cacheState(response) === 'HIT';
    };
    await waitUntil(isUnchanged, 'the cache does not compare the ETag');
    for (const encoding of ['br', 'gzip', 'identity', 'br']) {
      const response = await get('/home', { 'accept-encoding': encoding });
      const sent = response.headers.get('content-encoding') ?? 'identity';
      check(sent === encoding, `${encoding} was asked for, ${sent} was sent`);
    }
    for (const path of ['/api/core/essay/', '/api/core/site/', '/admin/', '/files/none.png']) {
      for (let nth = 0; nth < 3; nth++) {
        const state = cacheState(await get(path));
        check(state === null, `${path} went through the cache: ${state}`);
      }
    }
    const names = await Promise.all(
      tokens.map(async (token) => {
        const { data } = await call(nginx.url, 'GET core/user/', {}, { token });
        return 'id' in data ? data.id : undefined;
      }),
    );
    check(new Set(names).size === tokens.length, 'a user got the response of another');

    const title = '檐下';
    await call(a.url, 'PUT core/sys/setting/', { title }, { token: admin.token });
    const changed = await becomes((_, html) => html.includes(title), 'the cache sends an old page');
    await changeSwitch(true);
    const closed = await becomes((status) => status === 503, 'the cache sends pages during the maintenance');
    await changeSwitch(false);
    await becomes((status) => status === 200, 'the maintenance does not end');
    return `a change was seen after ${changed} ms, the maintenance after ${closed} ms; no call was cached`;
  } finally {
    await changeSwitch(false);
    await nginx.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const MAILS = 120;

async function jobsOnce({ client, mail }: Cluster): Promise<string> {
  await client.query(
    `select graphile_worker.add_job('send-mail', payload => json_build_object(
       'to', 'reader-' || n || '@site.test', 'subject', '第 ' || n || ' 封', 'text', '你好'))
     from generate_series(1, $1::int) n`,
    [MAILS],
  );
  await waitUntil(() => mail.received.length >= MAILS, `${mail.received.length} of ${MAILS} mails came`);
  // A second one would come at about the same time.
  await sleep(1000);
  const sent = new Set(mail.received);
  check(
    sent.size === MAILS && mail.received.length === MAILS,
    `${mail.received.length} mails, ${sent.size} kinds`,
  );
  return `${MAILS} jobs, ${mail.received.length} mails, each once`;
}

async function sharedFiles({ servers: [a, b], nginx, s3, tokens: [token = ''] }: Cluster): Promise<string> {
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#ff6968' } })
    .png()
    .toBuffer();
  const hashOf = async (url: string) => {
    const response = await fetch(url);
    const content = Buffer.from(await response.arrayBuffer());
    check(response.status === 200 && content.length > 100, `${url} was answered ${response.status}`);
    check(/immutable/.test(response.headers.get('cache-control') ?? ''), 'a file may not be kept');
    return createHash('sha256').update(content).digest('hex');
  };
  const sent = await upload(a.url, picture, token);
  const hashes = await Promise.all(
    [a.url, b.url, nginx.url].flatMap((url) => [hashOf(url + sent.url), hashOf(url + sent.thumbUrl)]),
  );
  check(new Set(hashes).size === 2, 'a file is another one elsewhere');
  const input = { name: 'a.png', type: 'image/png', size: picture.length };
  const { data: place } = await call(a.url, 'GET core/sys/oss/sign', input, { token });
  check(place.url.startsWith(s3.url), 'no place in the store');
  const { method, headers } = place;
  const put = await fetch(place.url, { method, headers, body: new Uint8Array(picture) });
  check(put.status === 200, `the store answered ${put.status}`);
  const { data } = await call(b.url, 'POST core/minio/done', { ticket: place.ticket }, { token });
  check(data?.path === sent.path, 'sent directly, it became another file');
  return 'sent to one, read from both; sent to the store by one’s leave, taken by the other';
}

const LISTENERS = 6;
const MESSAGES = 20;

async function liveEverywhere({ servers: [a, b], tokens, essayId }: Cluster): Promise<string> {
  const received: string[][] = [];
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, (_, nth) => {
      const mine: string[] = [];
      received.push(mine);
      return new Promise<ReturnType<typeof listen>>((resolve) => {
        const socket = listen(
          nth % 2 === 0 ? a.url : b.url,
          { token: tokens[nth % tokens.length] ?? '', essayId },
          { message: ({ clientId }) => mine.push(clientId ?? ''), joined: () => resolve(socket) },
        );
      });
    }),
  );
  const clientIds: string[] = [];
  for (let nth = 0; nth < MESSAGES; nth++) {
    const clientId = `live-${nth}-${Date.now()}`;
    clientIds.push(clientId);
    const input = { essayId, content: `第 ${nth} 句`, clientId };
    const token = tokens.at(-1) ?? '';
    const { status } = await call(nth % 2 === 0 ? b.url : a.url, 'POST core/essay/group/chat', input, {
      token,
    });
    check(status === 200, `saying was answered ${status}`);
  }
  await waitUntil(
    () => received.every((mine) => mine.length >= MESSAGES),
    'not everyone received everything',
  );
  for (const socket of sockets) socket.disconnect();
  const isSame = received.every((mine) => mine.join() === clientIds.join());
  check(isSame, 'some received other things, or in another order');
  return `${MESSAGES} words at either, received once and in order by ${LISTENERS} at both`;
}

/** Checks that every confirmed message is stored once. */
async function countStored(client: pg.Client, clientIds: string[]): Promise<number> {
  const text = 'select count(*) from chat_messages where client_id = any($1)';
  const stored = await count(client, text, [clientIds]);
  check(stored === clientIds.length, `${clientIds.length} messages confirmed, ${stored} stored`);
  return stored;
}

const summary = ({ pages, reads, writes, lostReads, lostWrites }: TrafficFigures): string =>
  `${pages} pages, ${reads} calls, ${writes} writes; lost ${lostReads.length} reads, ${lostWrites.length} writes`;

const refusesConnections = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    (error: { cause?: { code?: string } }) => error.cause?.code === 'ECONNREFUSED',
  );

async function killedServer(place: Cluster): Promise<string> {
  const { nginx, servers, tokens, essayId, client } = place;
  const stream = startTraffic(nginx.url, { tokens, essayId });
  await sleep(3000);
  await nginx.countByServer();
  killTree(servers[0].pid);
  // Ending takes a moment, in which the server still receives writes.
  await waitUntil(() => refusesConnections(servers[0].url), 'the killed server still listens');
  const endedAt = performance.now();
  await sleep(5000);
  const alone = await nginx.countByServer();
  servers[0] = await place.start(0);
  await nginx.countByServer();
  await sleep(4000);
  const again = await nginx.countByServer();
  const figures = await stream.stop();
  const { lostReads, lostWrites } = figures;
  check(lostReads.length === 0, `reads were lost: ${lostReads.slice(0, 3).join(', ')}; ${summary(figures)}`);
  // Earlier ones may be lost, because nginx must not repeat what the killed server has received.
  const lostLater = lostWrites.filter(({ sentAt }) => sentAt > endedAt).map(({ answer }) => answer);
  check(lostLater.length === 0, `lost after the end of the server: ${lostLater.slice(0, 5).join(', ')}`);
  await countStored(client, stream.confirmedIds);
  const [first, second] = place.ports;
  check((alone.get(second) ?? 0) > 50, 'the other server did not go on');
  check((again.get(first) ?? 0) > 20, 'the killed server did not come back');
  return summary(figures);
}

/** nginx's `fail_timeout` plus a margin. */
const FAIL_TIMEOUT_MS = 3000;

async function rollingRestart(place: Cluster): Promise<string> {
  const { nginx, servers, tokens, essayId, client } = place;
  const stream = startTraffic(nginx.url, { tokens: tokens.slice(4), essayId });
  await sleep(2000);
  for (const at of [0, 1] as const) {
    await servers[at].stop();
    servers[at] = await place.start(at);
    // nginx may still consider the server down.
    await sleep(FAIL_TIMEOUT_MS);
  }
  const figures = await stream.stop();
  const { lostReads, lostWrites } = figures;
  const lost = [...lostReads, ...lostWrites.map(({ answer }) => answer)];
  check(lost.length === 0, `lost: ${lost.slice(0, 5).join(', ')}; ${summary(figures)}`);
  await countStored(client, stream.confirmedIds);
  return summary(figures);
}

/** During the previous checks one to four processes competed for the scheduled jobs. */
async function scheduledOnce({ client }: Cluster): Promise<string> {
  const seen = "select count(*) from topology_jobs where task = 'expire-sign-ins'";
  await waitUntil(async () => (await count(client, seen)) > 0, 'nothing was due', 90_000);
  // A second one would come at about the same time.
  await sleep(1000);
  const { rows } = await client.query<{ minutes: string; most: string }>(
    `select count(*) as minutes, max(times) as most from (
       select date_trunc('minute', at) as minute, count(*) as times
       from topology_jobs where task = 'expire-sign-ins' group by 1) each_minute`,
  );
  const { minutes = '0', most = '0' } = rows[0] ?? {};
  check(Number(most) === 1, `due once, done ${most} times`);
  return `in ${minutes} minutes what is due each minute was done once in each`;
}

export const checks: Check[] = [
  { name: 'first start of both at once', run: concurrentStart },
  { name: 'one account at both', run: sameAccount },
  { name: 'limits are shared exactly', run: sharedLimit },
  { name: 'changed pages are invalidated everywhere', run: invalidatedPages },
  { name: 'nginx caches pages only, and for two seconds', run: nginxPageCache },
  { name: 'queued jobs run once', run: jobsOnce },
  { name: 'files are shared', run: sharedFiles },
  { name: 'live events reach everyone', run: liveEverywhere },
  { name: 'one server killed (-9)', run: killedServer },
  { name: 'both restarted, one after the other', run: rollingRestart },
  { name: 'scheduled jobs run once', run: scheduledOnce },
];
