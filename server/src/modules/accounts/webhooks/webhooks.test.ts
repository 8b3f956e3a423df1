import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@mozhan/contract/webhooks.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { rechargeBalance } from '../../../testing/orders.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { deliverDue, removeExpiredDeliveries, scheduleDueDeliveries } from './actions/deliver.ts';
import { claimDueDeliveries, saveAttempt } from './queries.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

interface Received {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let t: TestApp;
let receiver: Server;
let base = '';
let received: Received[] = [];
/** The next responses of the receiver; afterwards it responds with 200. */
let responses: number[] = [];
let admin: { token: string };
let moved = 0;

beforeAll(async () => {
  t = await startTestApp({ runsJobs: true, config: { webhookAllowPrivate: true, paySandbox: true } });
  admin = { token: await t.signInAdmin() };
  receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      const status = responses.shift() ?? 200;
      response.writeHead(status, status === 302 ? { location: `${base}/elsewhere` } : {});
      response.end('好'.repeat(4000));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.close();
  await t.close();
});
beforeEach(async () => {
  await t.app.services.pool.query('delete from webhook_endpoints');
  later(-moved);
  received = [];
  responses = [];
});

async function makeEndpoint(events: WebhookEvent[], path = '/hook') {
  const { data, success, errorMessage } = await t.call(
    'POST core/sys/webhook/',
    { name: '同步', url: base + path, events, enabled: 1 },
    admin,
  );
  if (!success) throw new Error(errorMessage);
  return data;
}

const later = (ms: number) => {
  t.advance(ms);
  moved += ms;
};
const ping = async (id: string) => (await t.call('POST core/sys/webhook/test', { id }, admin)).data.id;
const detail = async (id: string) => (await t.call('GET core/sys/webhook/delivery/{id}', { id }, admin)).data;
const hasState = (id: string, status: string) =>
  expect.poll(async () => (await detail(id)).status).toBe(status);
const hasArrived = (count: number) => expect.poll(() => received).toHaveLength(count);
const scheduleDue = () => scheduleDueDeliveries(systemCtx(t.app.services));

test('sends each event once, signed and without private data', async () => {
  const reader = await t.register(undefined, { displayName: '读者甲' });
  await rechargeBalance(t, reader, 1000);
  const { secret } = await makeEndpoint([
    'essay.published',
    'essay.removed',
    'order.paid',
    'comment.created',
  ]);
  const writer = await createWriter(t, '沈南');
  const locked = '这一段只给买了的人看，谁也不该在别处读到。';
  const essayId = await publishEssay(t, writer, {
    price: 100,
    tags: ['笔记'],
    content: `${'开头是给所有人的。'.repeat(20)}\n\n${locked.repeat(20)}\n`,
  });
  await hasArrived(1);
  const [first] = received;
  if (first === undefined) throw new Error('nothing');
  const timestamp = first.headers['x-mozhan-timestamp'];
  const signature = createHmac('sha256', secret).update(`${timestamp}.${first.body}`).digest('hex');
  expect(first.headers['x-mozhan-signature']).toBe(`v1=${signature}`);
  const sentEvents = JSON.parse(first.body);
  expect([sentEvents.event, sentEvents.id]).toEqual([
    first.headers['x-mozhan-event'],
    first.headers['x-mozhan-delivery'],
  ]);
  expect(sentEvents.data).toMatchObject({
    id: essayId,
    url: `http://site.test/essay/detail/${essayId}.html`,
    author: { id: writer.user.id, displayName: '沈南' },
    price: 100,
    tags: ['笔记'],
  });

  await t.call('POST core/essay/cmt', { essayId, content: '写得**好**' }, { token: reader.token });
  await hasArrived(2);
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({
    event: 'comment.created',
    data: { essay: { id: essayId }, author: '读者甲', excerpt: '写得好' },
  });

  const bought = await t.call(
    'POST core/user/order',
    { kind: 'read', targetId: essayId, payBy: 'balance' },
    { token: reader.token },
  );
  expect(bought.success).toBe(true);
  await hasArrived(3);
  expect(JSON.parse(received[2]?.body ?? '')).toMatchObject({
    event: 'order.paid',
    data: { no: bought.data.no, kind: 'read', amount: 100, target: { id: essayId } },
  });

  for (const status of [4, 3])
    await t.call('PUT core/essay/status', { id: essayId, status }, { token: writer.token });
  await hasArrived(4);
  expect(JSON.parse(received[3]?.body ?? '').event).toBe('essay.removed');
  const all = received.map(({ body }) => body).join('\n');
  for (const secretive of [locked, writer.user.account, reader.user.account, reader.user.id])
    expect(all).not.toContain(secretive);
});

test('retries a failure with growing delays for a day, then only manually', async () => {
  const { id } = await makeEndpoint(['order.paid']);
  responses = [500, 302, ...Array<number>(6).fill(503)];
  const delivery = await ping(id);
  await hasArrived(1);
  await expect.poll(async () => (await detail(delivery)).code).toBe(500);
  expect(await detail(delivery)).toMatchObject({ status: 'waiting', attempts: 1, error: '响应 500' });
  await scheduleDue();
  for (const wait of [1, 5, 30, 120, 240, 480, 600]) {
    // The job of every minute may be delivering at the same time.
    await expect.poll(async () => received.length - (await detail(delivery)).log.length).toBe(0);
    later(wait * MINUTE + 1000);
    await deliverDue(systemCtx(t.app.services), id);
  }
  await hasState(delivery, 'failed');
  const failed = await detail(delivery);
  expect(failed).toMatchObject({ status: 'failed', attempts: 8, code: 503, nextAt: null });
  expect(failed.log.map(({ code }) => code)).toEqual([500, 302, 503, 503, 503, 503, 503, 503]);
  expect(failed.log[1]?.error).toContain('没有跟随');
  expect(received.some(({ url }) => url === '/elsewhere')).toBe(false);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  expect(Buffer.byteLength(failed.response)).toBeLessThanOrEqual(4100);

  const again = await t.call('POST core/sys/webhook/redeliver', { ids: [delivery] }, admin);
  expect(again.data.count).toBe(1);
  await hasState(delivery, 'delivered');
  expect(received.at(-1)?.headers['x-mozhan-delivery']).toBe(delivery);
});

test('claims deliveries of a dead process after the lease, and splits them between two processes', async () => {
  const { id } = await makeEndpoint(['order.paid']);
  const { pool, clock } = t.app.services;
  const ctx = systemCtx(t.app.services);
  responses = [500];
  const delivery = await ping(id);
  await expect.poll(async () => (await detail(delivery)).code).toBe(500);
  later(2 * MINUTE);
  const now = clock();
  const taken = await claimDueDeliveries(ctx.db, id, {
    now,
    until: new Date(now.getTime() + MINUTE),
    limit: 10,
  });
  expect(taken.map((each) => each.id)).toEqual([delivery]);
  // The process has died; nobody else claims the delivery before its lease ends.
  await deliverDue(systemCtx(t.app.services), id);
  expect(received).toHaveLength(1);
  later(2 * MINUTE);
  await scheduleDue();
  await hasState(delivery, 'delivered');

  later(-moved);
  const secondProcess = await startTestApp({
    runsJobs: true,
    config: { webhookAllowPrivate: true },
    sameDatabaseAs: t,
  });
  await pool.query(
    `insert into webhook_deliveries (id, endpoint_id, event, body, status, next_at, created_at)
     select gen_random_uuid(), $1, 'ping', '{"n":' || n || '}', 'waiting', now() - interval '1 hour', now()
     from generate_series(1, 60) as n`,
    [id],
  );
  await Promise.all([t, secondProcess].map((each) => deliverDue(systemCtx(each.app.services), id)));
  await secondProcess.close();
  const numbers = received.map(({ body }) => body).filter((body) => body.startsWith('{"n"'));
  expect([numbers.length, new Set(numbers).size]).toEqual([60, 60]);
});

test('sends nothing to a disabled endpoint and disables one that fails for days', async () => {
  const { id } = await makeEndpoint(['comment.created']);
  responses = Array<number>(20).fill(500);
  const first = await ping(id);
  await expect.poll(async () => (await detail(first)).code).toBe(500);
  await t.call('PUT core/sys/webhook/', { id, enabled: 0 }, admin);
  // The result of an attempt that was still running.
  const late = { code: 500, error: '停用之后的回应', duration: 1 };
  await saveAttempt(
    systemCtx(t.app.services).db,
    first,
    { ...late, status: 'waiting', response: '', nextAt: new Date() },
    { ...late, at: new Date().toISOString() },
  );
  expect(await detail(first)).toMatchObject({ status: 'failed', error: expect.stringContaining('停用') });
  expect((await t.call('POST core/sys/webhook/test', { id }, admin)).success).toBe(false);
  const skipped = await t.call('POST core/sys/webhook/redeliver', { ids: [first] }, admin);
  expect(skipped.data.count).toBe(0);

  await t.call('PUT core/sys/webhook/', { id, enabled: 1 }, admin);
  await ping(id);
  await hasArrived(2);
  const list = async () => (await t.call('GET core/sys/webhook/', {}, admin)).data.list;
  await expect.poll(async () => (await list())[0]?.failingSince).not.toBeNull();
  later(3 * DAY + MINUTE);
  await scheduleDue();
  await expect.poll(async () => (await list())[0]).toMatchObject({ enabled: 0 });
  expect((await list())[0]?.disabledAt).not.toBeNull();
  const notices = await t.call('GET core/user/notice', {}, admin);
  expect(JSON.stringify(notices.data)).toContain('外部通知「同步」连续多日没有送达');

  later(31 * DAY);
  await removeExpiredDeliveries(systemCtx(t.app.services));
  const { rowCount } = await t.app.services.pool.query('select 1 from webhook_deliveries');
  expect(rowCount).toBe(0);
});

test('allows only super administrators to manage endpoints and rejects bad input', async () => {
  const { id, secret } = await makeEndpoint(['order.paid']);
  const operator = { token: (await createStaffWithRole(t, 'operator')).token };
  const looker = { token: (await createStaff(t, ['webhook:list'])).token };
  for (const [who, status] of [
    [{}, 401],
    [operator, 403],
  ] as const)
    expect((await t.call('GET core/sys/webhook/', {}, who)).status).toBe(status);
  const seen = await t.call('GET core/sys/webhook/', {}, looker);
  expect(JSON.stringify(seen.data)).not.toContain(secret);
  expect((await t.call('GET core/sys/webhook/secret', { id }, looker)).status).toBe(403);
  expect((await t.call('GET core/sys/webhook/secret', { id }, admin)).data.secret).toBe(secret);
  await t.call('PUT core/sys/webhook/', { id, renew: 1 }, admin);
  expect((await t.call('GET core/sys/webhook/secret', { id }, admin)).data.secret).not.toBe(secret);

  const right = { name: '另一个', url: `${base}/`, events: ['order.paid'], enabled: 1 };
  for (const bad of [
    { url: 'ftp://x' },
    { url: 'https://a:b@example.com/' },
    { events: [] },
    { events: ['x'] },
  ])
    expect((await t.call('POST core/sys/webhook/', { ...right, ...bad }, admin)).errorCode).toBe('INVALID');
  const many = await Promise.all(
    Array.from({ length: 21 }, () => t.call('POST core/sys/webhook/', right, admin)),
  );
  expect(many.filter(({ success }) => success)).toHaveLength(19);

  const log = await t.call('GET core/sys/log/', { call: 'POST core/sys/webhook/' }, admin);
  expect(JSON.stringify(log.data)).toContain('另一个');
  expect(JSON.stringify(log.data)).not.toContain('whsec_');
  expect((await t.call('DELETE core/sys/webhook/', { id }, admin)).success).toBe(true);
});

test('lists deliveries by endpoint, event, status and day', async () => {
  const one = await makeEndpoint(['order.paid']);
  const other = await makeEndpoint(['order.paid'], '/other');
  const [a, b] = [await ping(one.id), await ping(other.id)];
  await hasArrived(2);
  await hasState(a, 'delivered');
  await hasState(b, 'delivered');
  const ids = async (filter: object) =>
    (await t.call('GET core/sys/webhook/delivery', filter, admin)).data.list.map(({ id }) => id);
  expect(await ids({})).toEqual([b, a]);
  expect(await ids({ endpointId: one.id, event: 'ping', status: 'delivered' })).toEqual([a]);
  expect(await ids({ status: 'failed' })).toEqual([]);
  expect(await ids({ from: '2001-01-01', to: '2001-02-01' })).toEqual([]);
  const { data } = await t.call('GET core/sys/webhook/delivery', { pageSize: 1 }, admin);
  expect(await ids({ pageSize: 1, cursor: data.next })).toEqual([a]);
});
