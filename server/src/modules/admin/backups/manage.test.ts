import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backup } from '@mozhan/contract/backups.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeMember, makeStaff } from '../../../testing/staff.ts';
import { tendBackups } from './actions/make.ts';
import { removeBackup } from './actions/manage.ts';

let t: TestApp;
let token: string;
let folder: string;
beforeAll(async () => {
  t = await startTestApp();
  token = await t.signInAdmin();
  folder = join(t.app.services.config.dataDir, 'backups');
});
afterAll(() => t.close());

const list = async (more: object = {}): Promise<Backup[]> =>
  (await t.call('GET core/sys/backup/', more, { token })).data.list;

/** Until the newest is no longer being made. */
const settled = (): Promise<Backup> =>
  vi.waitFor(
    async () => {
      const [newest] = await list();
      if (newest === undefined || ['waiting', 'running'].includes(newest.status)) throw new Error('not yet');
      return newest;
    },
    { timeout: 20_000, interval: 100 },
  );

/** The rest as if it were another minute. */
const tend = (now = t.app.services.clock()) => tendBackups({ ...systemCtx(t.app.services), now });

test('a backup is made, listed, taken away and removed by those who may', async () => {
  const twice = await Promise.all([1, 2].map(() => t.call('POST core/sys/backup/', {}, { token })));
  expect(twice.map(({ errorCode }) => errorCode).toSorted()).toEqual(['BACKUP_RUNNING', undefined]);
  const made = await settled();
  expect(made).toMatchObject({ status: 'done', madeBy: 'manual', by: '管理员', progress: 100, isHere: true });
  expect(made.contents).toMatchObject({ files: 0, missingCount: 0 });
  expect(await readdir(folder)).toEqual([made.name]);

  const answer = await t.call('POST core/sys/backup/link', { id: made.id }, { token });
  const get = (url: string, headers = {}) => t.app.server.inject({ url, headers });
  const whole = await get(answer.data.url);
  expect(whole.rawPayload.length).toBe(made.bytes);
  expect(whole.headers['content-disposition']).toContain(made.name);
  expect(whole.headers['cache-control']).toBe('private, no-store');
  const part = await get(answer.data.url, { range: 'bytes=0-9' });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
  expect((await get(answer.data.url.replace(/.$/, '!'))).statusCode).toBe(404);
  t.advance(6 * 60_000);
  expect((await get(answer.data.url)).statusCode).toBe(410);
  const log = await t.call('GET core/sys/log/', {}, { token });
  expect(log.data.list[0]).toMatchObject({ call: 'POST core/sys/backup/link' });

  for (const role of ['operator', 'auditor', 'finance']) {
    const member = await makeMember(t, role);
    expect((await t.call('GET core/sys/backup/', {}, member)).status).toBe(403);
  }
  // A link ends with the permission it was made by, and with the session.
  for (const end of [
    'delete from account_roles where user_id = $1',
    'delete from sessions where user_id = $1',
  ]) {
    const keeper = await makeStaff(t, ['backup:download']);
    const { data } = await t.call('POST core/sys/backup/link', { id: made.id }, keeper);
    expect((await get(data.url, { range: 'bytes=0-9' })).statusCode).toBe(206);
    await t.app.services.pool.query(end, [keeper.user.id]);
    expect((await get(data.url)).statusCode).toBe(410);
  }
  const viewer = await makeStaff(t, ['backup:list']);
  expect((await t.call('GET core/sys/backup/', {}, viewer)).data.total).toBe(1);
  for (const route of ['POST core/sys/backup/link', 'DELETE core/sys/backup/'] as const)
    expect((await t.call(route, { id: made.id }, viewer)).status).toBe(403);
  expect((await t.call('POST core/sys/backup/', {}, viewer)).status).toBe(403);
  expect((await t.call('GET core/sys/backup/')).status).toBe(401);
  const cursor = Buffer.from(JSON.stringify(['1', newId()])).toString('base64url');
  for (const route of ['GET core/sys/backup/', 'GET core/sys/session/'] as const)
    expect((await t.call(route, { cursor }, { token })).fields).toHaveProperty('cursor');

  expect((await t.call('DELETE core/sys/backup/', { id: newId() }, { token })).status).toBe(404);
  expect((await t.call('DELETE core/sys/backup/', { id: made.id }, { token })).success).toBe(true);
  await vi.waitFor(async () => expect(await readdir(folder)).toEqual([]));
  expect(await list()).toEqual([]);
});

test('the clock makes one a day, and old ones go', async () => {
  const wrong = await t.call('PUT core/sys/backup/schedule', { hour: 24, daily: 0 }, { token });
  expect(wrong.fields).toEqual({ hour: '应在 0–23 之间', daily: '至少保留 1 份' });
  const plan = await t.call(
    'PUT core/sys/backup/schedule',
    { on: true, hour: 4, daily: 1, weekly: 0 },
    { token },
  );
  expect(plan.data).toMatchObject({ on: true, hour: 4, daily: 1, weekly: 0, folder, isManaged: true });
  const viewer = await makeStaff(t, ['backup:list']);
  expect((await t.call('PUT core/sys/backup/schedule', { on: false }, viewer)).status).toBe(403);

  const next = new Date(plan.data.next ?? '');
  await tend(new Date(next.getTime() - 60_000));
  expect(await list()).toEqual([]);
  await tend(next);
  await tend(new Date(next.getTime() + 60_000));
  const first = await settled();
  expect(await list()).toHaveLength(1);
  expect(first).toMatchObject({ madeBy: 'scheduled', by: null, status: 'done' });
  t.advance(next.getTime() + 24 * 3_600_000 - t.app.services.clock().getTime());
  token = await t.signInAdmin();
  await tend();
  await vi.waitFor(async () => expect((await settled()).id).not.toBe(first.id), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await list()).toHaveLength(1), { timeout: 5000 });
  expect(await readdir(folder)).toHaveLength(1);
  await t.call('PUT core/sys/backup/schedule', { on: false }, { token });
});

test('what lies in the folder is found; what was broken off is begun again, or given up and told', async () => {
  const [there] = await list();
  await copyFile(join(folder, there?.name ?? ''), join(folder, 'mozhan-brought.tar'));
  const { services } = t.app;
  // One that is being made may have its name already.
  await services.pool.query(
    "insert into backups (id, made_by, status, created_at, seen_at) values ($1, 'manual', 'running', $2, $2)",
    [newId(), services.clock()],
  );
  await tend();
  await services.pool.query("delete from backups where status = 'running'");
  expect(await list()).toHaveLength(1);
  await tend();
  expect(await list()).toMatchObject([{ isHere: true }, { isHere: true }]);
  // On another machine it stays, until nobody has seen it for a day.
  const config = { ...services.config, dataDir: join(folder, 'elsewhere') };
  const other = { ...systemCtx(services), services: { ...services, config } };
  const id = there?.id ?? '';
  await expect(removeBackup(other, id)).rejects.toThrow('备份文件不在这台机器上');
  const next = new Date(other.now.getTime() + 25 * 3_600_000);
  await tend(next);
  await expect(removeBackup({ ...other, now: next }, id)).rejects.toThrow('备份文件不在这台机器上');
  await removeBackup({ ...other, now: new Date(next.getTime() + 25 * 3_600_000) }, id);
  await tend();
  expect(await list()).toMatchObject([{ isHere: true }, { isHere: true }]);
  for (const { id } of await list()) await t.call('DELETE core/sys/backup/', { id }, { token });
  await rm(folder, { recursive: true, force: true });

  const { pool, files, clock } = t.app.services;
  const dead = (attempts: number, status = 'running') =>
    pool.query(
      `insert into backups (id, made_by, status, attempts, created_at, seen_at)
       values ($1, 'scheduled', $4, $2, $3, $3)`,
      [newId(), attempts, new Date(clock().getTime() - 3 * 60_000), status],
    );
  for (const status of ['running', 'waiting']) {
    await dead(1, status);
    await tend();
    expect(await settled()).toMatchObject({ status: 'done' });
    await pool.query('delete from backups');
  }
  await dead(3);
  await tend();
  const given = await list({ status: 'failed' });
  expect(given).toMatchObject([{ message: '程序在备份途中退出了 3 次', finishedAt: expect.any(String) }]);

  files.list = async function* () {
    yield await Promise.reject(new Error('存储不可用'));
  };
  await t.call('POST core/sys/backup/', {}, { token });
  await vi.waitFor(
    async () => expect(await list({ madeBy: 'manual' })).toMatchObject([{ status: 'failed' }]),
    { timeout: 20_000 },
  );
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(notices.data.list.map(({ text }) => text).slice(0, 2)).toEqual([
    '备份失败：备份没有完成：存储不可用',
    '定时备份失败：程序在备份途中退出了 3 次',
  ]);
});
