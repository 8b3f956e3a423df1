import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Backup } from '@mozhan/contract/backups.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';
import { removeBackup } from './actions/manage.ts';
import { maintainBackups } from './actions/run.ts';

let t: TestApp;
let token: string;
let folder: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  token = await t.signInAdmin();
  folder = join(t.app.services.config.dataDir, 'backups');
});
afterAll(() => t.close());

const list = async (more: object = {}): Promise<Backup[]> =>
  (await t.call('GET core/sys/backup/', more, { token })).data.list;

const waitForNewest = (): Promise<Backup> =>
  vi.waitFor(
    async () => {
      const [newest] = await list();
      if (newest === undefined || ['waiting', 'running'].includes(newest.status)) throw new Error('not yet');
      return newest;
    },
    { timeout: 120_000, interval: 100 },
  );

const maintain = (now = t.app.services.clock()) => maintainBackups({ ...systemCtx(t.app.services), now });

test('staff with permission create, list, download and remove a backup', async () => {
  const twice = await Promise.all([1, 2].map(() => t.call('POST core/sys/backup/', {}, { token })));
  expect(twice.map(({ errorCode }) => errorCode).toSorted()).toEqual(['BACKUP_RUNNING', undefined]);
  const created = await waitForNewest();
  expect(created).toMatchObject({
    status: 'done',
    madeBy: 'manual',
    by: '管理员',
    progress: 100,
    isHere: true,
  });
  expect(created.contents).toMatchObject({ files: 0, missingCount: 0 });
  expect(await readdir(folder)).toEqual([created.name]);

  const link = await t.call('POST core/sys/backup/link', { id: created.id }, { token });
  const get = (url: string, headers = {}) => t.app.server.inject({ url, headers });
  const full = await get(link.data.url);
  expect(full.rawPayload.length).toBe(created.bytes);
  expect(full.headers['content-disposition']).toContain(created.name);
  expect(full.headers['cache-control']).toBe('private, no-store');
  const part = await get(link.data.url, { range: 'bytes=0-9' });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
  expect((await get(link.data.url.replace(/.$/, '!'))).statusCode).toBe(404);
  t.advance(6 * 60_000);
  expect((await get(link.data.url)).statusCode).toBe(410);
  const log = await t.call('GET core/sys/log/', {}, { token });
  expect(log.data.list[0]).toMatchObject({ call: 'POST core/sys/backup/link' });

  for (const role of ['operator', 'auditor', 'finance']) {
    const member = await createStaffWithRole(t, role);
    expect((await t.call('GET core/sys/backup/', {}, member)).status).toBe(403);
  }
  // A link becomes invalid with the permission or the session of its creator.
  for (const end of [
    'delete from account_roles where user_id = $1',
    'delete from sessions where user_id = $1',
  ]) {
    const downloader = await createStaff(t, ['backup:download']);
    const { data } = await t.call('POST core/sys/backup/link', { id: created.id }, downloader);
    expect((await get(data.url, { range: 'bytes=0-9' })).statusCode).toBe(206);
    await t.app.services.pool.query(end, [downloader.user.id]);
    expect((await get(data.url)).statusCode).toBe(410);
  }
  const viewer = await createStaff(t, ['backup:list']);
  expect((await t.call('GET core/sys/backup/', {}, viewer)).data.total).toBe(1);
  for (const route of ['POST core/sys/backup/link', 'DELETE core/sys/backup/'] as const)
    expect((await t.call(route, { id: created.id }, viewer)).status).toBe(403);
  expect((await t.call('POST core/sys/backup/', {}, viewer)).status).toBe(403);
  expect((await t.call('GET core/sys/backup/')).status).toBe(401);
  const cursor = Buffer.from(JSON.stringify(['1', newId()])).toString('base64url');
  for (const route of ['GET core/sys/backup/', 'GET core/sys/session/'] as const)
    expect((await t.call(route, { cursor }, { token })).fields).toHaveProperty('cursor');

  expect((await t.call('DELETE core/sys/backup/', { id: newId() }, { token })).status).toBe(404);
  expect((await t.call('DELETE core/sys/backup/', { id: created.id }, { token })).success).toBe(true);
  await expect.poll(() => readdir(folder)).toEqual([]);
  expect(await list()).toEqual([]);
});

test('creates a scheduled backup once a day and removes old ones', async () => {
  const wrong = await t.call('PUT core/sys/backup/schedule', { hour: 24, daily: 0 }, { token });
  expect(wrong.fields).toEqual({ hour: '应在 0–23 之间', daily: '至少保留 1 份' });
  const plan = await t.call(
    'PUT core/sys/backup/schedule',
    { on: true, hour: 4, daily: 1, weekly: 0 },
    { token },
  );
  expect(plan.data).toMatchObject({ on: true, hour: 4, daily: 1, weekly: 0, folder, isManaged: true });
  const viewer = await createStaff(t, ['backup:list']);
  expect((await t.call('PUT core/sys/backup/schedule', { on: false }, viewer)).status).toBe(403);

  const next = new Date(plan.data.next ?? '');
  await maintain(new Date(next.getTime() - 60_000));
  expect(await list()).toEqual([]);
  await maintain(next);
  await maintain(new Date(next.getTime() + 60_000));
  const first = await waitForNewest();
  expect(await list()).toHaveLength(1);
  expect(first).toMatchObject({ madeBy: 'scheduled', by: null, status: 'done' });
  t.advance(next.getTime() + 24 * 3_600_000 - t.app.services.clock().getTime());
  token = await t.signInAdmin();
  await maintain();
  await expect.poll(async () => (await waitForNewest()).id).not.toBe(first.id);
  await expect.poll(() => list()).toHaveLength(1);
  expect(await readdir(folder)).toHaveLength(1);
  await t.call('PUT core/sys/backup/schedule', { on: false }, { token });
});

test('registers files found in the folder, and restarts stalled backups or reports their failure', async () => {
  const [there] = await list();
  await copyFile(join(folder, there?.name ?? ''), join(folder, 'mozhan-brought.tar'));
  const { services } = t.app;
  // The file of a running backup may have its name already.
  await services.pool.query(
    "insert into backups (id, made_by, status, created_at, seen_at) values ($1, 'manual', 'running', $2, $2)",
    [newId(), services.clock()],
  );
  await maintain();
  await services.pool.query("delete from backups where status = 'running'");
  expect(await list()).toHaveLength(1);
  await maintain();
  expect(await list()).toMatchObject([{ isHere: true }, { isHere: true }]);
  // Another machine cannot remove it until no machine has found the file for a day.
  const config = { ...services.config, dataDir: join(folder, 'elsewhere') };
  const other = { ...systemCtx(services), services: { ...services, config } };
  const id = there?.id ?? '';
  await expect(removeBackup(other, id)).rejects.toThrow('备份文件不在这台机器上');
  const next = new Date(other.now.getTime() + 25 * 3_600_000);
  await maintain(next);
  await expect(removeBackup({ ...other, now: next }, id)).rejects.toThrow('备份文件不在这台机器上');
  await removeBackup({ ...other, now: new Date(next.getTime() + 25 * 3_600_000) }, id);
  await maintain();
  expect(await list()).toMatchObject([{ isHere: true }, { isHere: true }]);
  for (const { id } of await list()) await t.call('DELETE core/sys/backup/', { id }, { token });
  await rm(folder, { recursive: true, force: true });

  const { pool, files, clock } = t.app.services;
  const insertStalled = (attempts: number, status = 'running') =>
    pool.query(
      `insert into backups (id, made_by, status, attempts, created_at, seen_at)
       values ($1, 'scheduled', $4, $2, $3, $3)`,
      [newId(), attempts, new Date(clock().getTime() - 3 * 60_000), status],
    );
  for (const status of ['running', 'waiting']) {
    await insertStalled(1, status);
    await maintain();
    expect(await waitForNewest()).toMatchObject({ status: 'done' });
    await pool.query('delete from backups');
  }
  await insertStalled(3);
  await maintain();
  const failed = await list({ status: 'failed' });
  expect(failed).toMatchObject([{ message: '程序在备份途中退出了 3 次', finishedAt: expect.any(String) }]);

  files.list = async function* () {
    yield await Promise.reject(new Error('存储不可用'));
  };
  await t.call('POST core/sys/backup/', {}, { token });
  await expect.poll(() => list({ madeBy: 'manual' })).toMatchObject([{ status: 'failed' }]);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(notices.data.list.map(({ text }) => text).slice(0, 2)).toEqual([
    '备份失败：备份没有完成：存储不可用',
    '定时备份失败：程序在备份途中退出了 3 次',
  ]);
});
