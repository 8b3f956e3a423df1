import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { openListener } from './listener.ts';
import { memoryUsage } from './load.ts';
import { median, quantile } from './measure.ts';
import { send } from './raw-request.ts';
import { createRooms } from './rooms.ts';
import { openClient, type RunningServer, startMozhan, temporaryFolder } from './servers.ts';
import { buy, createPaidEssays, topUp } from './shopping.ts';
import { createUsers, signInAdmin } from './users.ts';

const USER_COUNT = 200;
const ROOMS = 5;
const SOLD = 500;
const PRICE = 990;
/** Trial that determines the maximum rate. */
const TRIAL_SECONDS = 20;
const TRIAL_CONNECTIONS = 16;
const WINDOW_MINUTES = 5;
/** After this, unused threads and processes have ended. */
const IDLE_SECONDS = 360;
/** Minimum number of windows to detect a trend in short runs. */
const MIN_WINDOWS = 5;
const MAX_GROWTH = 1.1;
const MAX_DRIFT = 1.3;

interface Site {
  server: RunningServer;
  admin: string;
  tokens: string[];
  essays: string[];
  sold: string[];
  rooms: string[];
  categoryId: string;
}

/** Makes every request unique. */
let requestIndex = 0;
const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T;

const TEXT = '## 标题\n\n**一段**文字，`code`，和一个列表：\n\n- 甲\n- 乙\n\n'.repeat(20);
const WORDS = ['数据', '函数', 'React', '索引', '缓存', '编译'];

async function call(
  site: Site,
  request: string,
  { token = '', body }: { token?: string; body?: object } = {},
) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await send(`${site.server.url}${path}`, {
    method,
    headers: { ...(token === '' ? {} : { token }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status === 0 || answer.status >= 400)
    throw new Error(`${request}: ${answer.status} ${answer.body.toString('utf8', 0, 200)}`);
  return answer;
}

async function publish(site: Site): Promise<void> {
  const { admin: token, categoryId } = site;
  const essay = { title: `第 ${requestIndex} 篇`, categoryId, content: TEXT, status: ESSAY_STATUS.waiting };
  const answer = await call(site, 'POST /api/core/essay/', { token, body: essay });
  const { data } = JSON.parse(answer.body.toString()) as { data: { id: string } };
  for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf])
    await call(site, 'PUT /api/core/essay/status', { token, body: { id: data.id, status } });
}

let bought = 0;
function purchase({ server, tokens, sold }: Site): Promise<string> {
  const person = bought % USER_COUNT;
  const essayId = sold[Math.floor(bought / USER_COUNT) % SOLD] ?? '';
  bought += 1;
  return buy({ url: () => server.url }, tokens[person] ?? '', { person, essayId });
}

const USES: [share: number, use: (site: Site) => Promise<unknown>][] = [
  [30, (site) => call(site, `GET /essay/detail/${pick(site.essays)}.html`)],
  [10, (site) => call(site, 'GET /home')],
  [
    10,
    (site) =>
      call(
        site,
        `GET /api/core/essay/?keyword=${encodeURIComponent(pick(WORDS))}&page=${1 + (requestIndex % 9)}`,
      ),
  ],
  [10, (site) => call(site, 'GET /api/core/essay/', { token: pick(site.tokens) })],
  [10, (site) => call(site, 'GET /api/core/user/notice', { token: pick(site.tokens) })],
  [
    8,
    (site) =>
      call(site, 'POST /api/core/essay/like', {
        token: pick(site.tokens),
        body: { essayId: pick(site.essays) },
      }),
  ],
  [
    8,
    (site) =>
      call(site, 'DELETE /api/core/essay/like', {
        token: pick(site.tokens),
        body: { essayId: pick(site.essays) },
      }),
  ],
  [
    4,
    (site) =>
      call(site, 'POST /api/core/essay/cmt', {
        token: pick(site.tokens),
        body: { essayId: pick(site.essays), content: `好 ${requestIndex}` },
      }),
  ],
  [
    4,
    (site) =>
      call(site, 'POST /api/core/essay/preview', {
        token: pick(site.tokens),
        body: { content: `${TEXT}${requestIndex}` },
      }),
  ],
  [3, purchase],
  [
    2,
    (site) =>
      call(site, 'POST /api/core/essay/group/chat', {
        token: pick(site.tokens),
        body: { essayId: pick(site.rooms), content: '大家好', clientId: `soak-message-${requestIndex}` },
      }),
  ],
  [1, publish],
];
const MIX = USES.flatMap(([share, use]) => Array.from({ length: share }, () => use));
/** Interleaves the requests; coprime to the length of the mix. */
const STRIDE = 37;

function nextRequest(): (site: Site) => Promise<unknown> {
  requestIndex += 1;
  return MIX[(requestIndex * STRIDE) % MIX.length] ?? publish;
}

const figures = { times: [] as number[], failures: new Map<string, number>() };

async function runOnce(site: Site): Promise<void> {
  const since = performance.now();
  try {
    await nextRequest()(site);
    figures.times.push(performance.now() - since);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    figures.failures.set(reason, (figures.failures.get(reason) ?? 0) + 1);
  }
}

async function findMaxRate(site: Site): Promise<number> {
  const since = performance.now();
  const elapsed = () => (performance.now() - since) / 1000;
  const work = async () => {
    while (elapsed() < TRIAL_SECONDS) await runOnce(site);
  };
  await Promise.all(Array.from({ length: TRIAL_CONNECTIONS }, work));
  return figures.times.length / elapsed();
}

/** Sends at a constant rate, independent of responses. */
async function runFor(site: Site, seconds: number, rate: number): Promise<void> {
  const since = performance.now();
  const uses: Promise<void>[] = [];
  for (let at = 0; at < rate * seconds; at++) {
    const due = since + (at * 1000) / rate - performance.now();
    if (due > 1) await sleep(due);
    uses.push(runOnce(site));
  }
  await Promise.all(uses);
}

interface Window {
  node: number;
  database: number;
  p99: number;
}

/** Compares the last third of a run with the first third, without the warm-up window. */
function change(windows: Window[], read: (window: Window) => number): [before: number, after: number] {
  const numbers = windows.slice(1).map(read);
  const third = Math.ceil(numbers.length / 3);
  return [median(numbers.slice(0, third)), median(numbers.slice(-third))];
}

export function describeTrends(windows: Window[]): string[] {
  const trendOf = (
    what: string,
    unit: string,
    maxRatio: number,
    read: (window: Window) => number,
    labels: [string, string],
  ) => {
    const [before, after] = change(windows, read);
    const label = after <= before * maxRatio ? labels[0] : labels[1];
    return `${what} ${label}: ${before.toFixed(0)} → ${after.toFixed(0)} ${unit}`;
  };
  return [
    trendOf('memory of the server', 'MB', MAX_GROWTH, ({ node }) => node, ['is flat', 'GROWS']),
    trendOf('memory of PostgreSQL', 'MB', MAX_GROWTH, ({ database }) => database, ['is flat', 'GROWS']),
    trendOf('p99', 'ms', MAX_DRIFT, ({ p99 }) => p99, ['does not drift', 'DRIFTS']),
  ];
}

async function prepare(dataDir: string): Promise<Site> {
  const server = await startMozhan(dataDir);
  const client = await openClient(dataDir);
  const tokens = await createUsers(client, USER_COUNT);
  const sold = await createPaidEssays(client, SOLD, PRICE);
  const rooms = await createRooms(client, ROOMS);
  await client.query(`update users set cur_identity = ${IDENTITY.writer} where display_name like '读者%'`);
  const { rows } = await client.query<{ essays: string[]; category: string }>(
    `select array_agg(replace(essays.id::text, '-', '')) as essays, replace(min(category_id::text), '-', '') as category
     from essays join essay_texts on essay_id = id and essay_texts.version = shelved_version
     where status = ${ESSAY_STATUS.onShelf} and price = 0`,
  );
  await client.end();
  await topUp({ url: () => server.url }, tokens, SOLD * PRICE);
  const [{ essays, category } = { essays: [], category: '' }] = rows;
  return { server, admin: await signInAdmin(server.url), tokens, essays, sold, rooms, categoryId: category };
}

export async function soak(minutes: number): Promise<void> {
  const dataDir = await temporaryFolder();
  const site = await prepare(dataDir);
  const { server, tokens, rooms } = site;
  try {
    for (const [at, token] of tokens.entries())
      await openListener(server.url, { token, essayId: rooms[at % ROOMS] ?? '' }, () => {});
    const rate = (await findMaxRate(site)) / 2;
    const length = Math.min(WINDOW_MINUTES, minutes / MIN_WINDOWS);
    console.log(`${rate.toFixed(0)} uses a second, ${tokens.length} live connections, ${minutes} minutes`);
    console.log('\n| minutes | server, MB | PostgreSQL, MB | p99, ms |\n|---:|---:|---:|---:|');
    const windows: Window[] = [];
    for (let nth = 1; nth * length <= minutes + 0.01; nth++) {
      figures.times = [];
      await runFor(site, length * 60, rate);
      const window = { ...(await memoryUsage(server)), p99: quantile(figures.times, 0.99) };
      windows.push(window);
      const cells = [window.node.toFixed(0), window.database.toFixed(0), window.p99.toFixed(0)];
      console.log(`| ${(nth * length).toFixed(1)} | ${cells.join(' | ')} |`);
    }
    console.log(`\n${describeTrends(windows).join('\n')}`);
    await sleep(IDLE_SECONDS * 1000);
    const { node, database } = await memoryUsage(server);
    console.log(
      `${IDLE_SECONDS} s without requests later: ${node.toFixed(0)} MB, PostgreSQL ${database.toFixed(0)} MB`,
    );
    for (const [reason, count] of figures.failures) console.log(`failed ${count} ×: ${reason}`);
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
