import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createStaff } from '../../../testing/staff.ts';
import { VERSION } from '../../../version.ts';
import { type HealthParts, runChecks, worstState } from './rules/health.ts';

let t: TestApp;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = (await createStaff(t, ['health:list'])).token;
});
afterAll(() => t.close());

const read = async () => (await t.call('GET core/sys/health/', {}, { token: staff })).data;

test('returns the state of all parts, with permission only', async () => {
  const health = await read();
  expect(health).toMatchObject({
    database: { version: expect.stringMatching(/^\d+/), latencyMs: expect.any(Number) },
    redis: null,
    storage: { kind: 'disk', freeBytes: expect.any(Number), bytes: expect.any(Number) },
    queue: { running: expect.any(Number), failed: 0 },
    process: { version: VERSION, update: null, node: process.versions.node, workers: 1 },
    live: { connections: 0 },
    mail: { configured: expect.any(Boolean) },
  });
  expect(health.database?.bytes).toBeGreaterThan(0);
  expect(health.disk?.totalBytes).toBeGreaterThan(health.disk?.freeBytes ?? 0);
  expect(health.checks.find(({ part }) => part === 'migrations')).toMatchObject({ state: 'ok' });
  const reader = await t.register();
  expect((await t.call('GET core/sys/health/')).status).toBe(401);
  expect((await t.call('GET core/sys/health/', {}, { token: reader.token })).status).toBe(403);
});

test('reports a broken part and returns the others', async () => {
  const { services } = t.app;
  const { files, live } = services;
  const url = 'redis://user:secret-of-redis@cache';
  services.files = { ...files, check: () => Promise.reject(new Error(`no ${url}`)) };
  services.live = { ...live, ping: () => Promise.reject(new Error(url)) };
  const health = await read();
  expect(health).toMatchObject({ state: 'bad', storage: null, redis: { latencyMs: null } });
  expect(health.database).not.toBeNull();
  expect(JSON.stringify(health)).not.toContain('secret');
  Object.assign(services, { files, live });
});

test('counts waiting and permanently failed jobs', async () => {
  await t.app.services.pool.query(`
    select graphile_worker.add_job('later', run_at => now() + interval '1 day');
    select graphile_worker.permanently_fail_jobs(array[(graphile_worker.add_job('broken', run_at => now() + interval '1 day')).id]);`);
  const health = await read();
  expect(health.queue?.waiting).toBeGreaterThan(0);
  expect(health.queue?.failed).toBe(1);
  expect(health.checks).toContainEqual({
    part: 'queue',
    state: 'warn',
    text: '有 1 个任务多次失败，不再重试',
  });
});

const now = new Date('2026-01-10T00:00:00Z');
const healthy: HealthParts = {
  database: { version: '18', embedded: true, bytes: 1, connections: 5, maxConnections: 100, latencyMs: 1 },
  migrations: { missing: [], unknown: [] },
  redis: null,
  storage: { kind: 'disk', where: '/data', freeBytes: 1, bytes: 1 },
  queue: { waiting: 0, running: 0, failed: 0, oldest: null },
  disk: { freeBytes: 50, totalBytes: 100 },
  process: { version: '1', update: null, node: '24', uptime: 1, memoryBytes: 1, workers: 1 },
  live: { connections: 0 },
  mail: { configured: true },
  codes: { sms: { sent: 3, budget: 10 }, mail: null },
  backup: { last: '2026-01-09T00:00:00Z' },
};

test('warns about low disk space, late jobs, old backups and used budgets', () => {
  expect(worstState(runChecks(healthy, now))).toBe('ok');
  const cases: [Partial<HealthParts>, string, string][] = [
    [{ disk: { freeBytes: 9, totalBytes: 100 } }, 'warn', '磁盘剩余空间不多，还有 9%'],
    [{ disk: { freeBytes: 1, totalBytes: 100 } }, 'bad', '磁盘快满了，只剩 1%'],
    [{ disk: null }, 'bad', '没能读出磁盘的剩余空间'],
    [
      { queue: { waiting: 1, running: 0, failed: 0, oldest: '2026-01-09T23:45:00Z' } },
      'warn',
      '有任务到时间后 15 分钟还没有运行',
    ],
    [
      { migrations: { missing: ['0099.sql'], unknown: [] } },
      'bad',
      '数据库结构落后 1 个版本，请重新启动程序',
    ],
    [{ backup: { last: '2026-01-01T00:00:00Z' } }, 'warn', '最近一次备份是 9 天前'],
    [{ backup: { last: null } }, 'warn', '还没有备份过'],
    [
      { codes: { sms: { sent: 10, budget: 10 }, mail: { sent: 9, budget: 10 } } },
      'bad',
      '今天的验证码已经发完，明天恢复：短信验证码 10 / 10 条',
    ],
    [
      { codes: { sms: null, mail: { sent: 8, budget: 10 } } },
      'warn',
      '今天的验证码快发完了：邮件验证码 8 / 10 条',
    ],
  ];
  for (const [parts, state, text] of cases) {
    const checks = runChecks({ ...healthy, ...parts }, now);
    expect(worstState(checks)).toBe(state);
    expect(checks.find((check) => check.state !== 'ok')?.text).toBe(text);
  }
  const busy = { ...healthy.database, connections: 96 } as HealthParts['database'];
  expect(worstState(runChecks({ ...healthy, database: busy }, now))).toBe('bad');
});
