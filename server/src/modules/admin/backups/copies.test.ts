import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { restore } from '../../../commands/backup.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, TEST_KEY, type TestApp } from '../../../testing/app.ts';
import { startTestS3, type TestS3 } from '../../../testing/s3.ts';
import { copyBackup, queueCopies } from './actions/copy.ts';
import { openCopies } from './copies.ts';

let t: TestApp;
let s3: TestS3;
let token: string;
beforeAll(async () => {
  s3 = await startTestS3();
  t = await startTestApp({ runsJobs: true, config: { backupS3: s3.config } });
  token = await t.signInAdmin();
});
afterAll(async () => {
  await t.close();
  await s3.close();
});
afterEach(() => void vi.unstubAllEnvs());

const list = async () => (await t.call('GET core/sys/backup/', {}, { token })).data.list;
const query = (sql: string, values: unknown[] = []) => t.app.services.pool.query(sql, values);

async function createBackup(): Promise<{ id: string; name: string }> {
  await t.call('POST core/sys/backup/', {}, { token });
  const newest = async () => (await list())[0];
  await expect.poll(newest).toMatchObject({ status: 'done' });
  const { id = '', name } = (await newest()) ?? {};
  return { id, name: name ?? '' };
}

async function runRestore(
  args: string[],
  dataDir: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { endpoint, bucket, accessKey, secretKey } = s3.config;
  const variables = {
    DATA_DIR: dataDir,
    SECRET_KEY: TEST_KEY.export().toString('base64'),
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_BUCKET: bucket,
    BACKUP_S3_ACCESS_KEY: accessKey,
    BACKUP_S3_SECRET_KEY: secretKey,
    ...env,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const lines: string[] = [];
  await restore({ args, print: (line) => void lines.push(line) });
  return lines.join('\n');
}

test('a finished backup is copied, listed by the command and downloaded for a restore', async () => {
  const { id, name } = await createBackup();
  await queueCopies(systemCtx(t.app.services));
  await expect.poll(async () => (await list())[0]).toMatchObject({ copiedAt: expect.any(String) });
  expect((await list())[0]).toMatchObject({ id, copyError: '' });
  const plan = await t.call('GET core/sys/backup/schedule', {}, { token });
  expect(plan.data).toMatchObject({ copiesTo: `${s3.url}/mozhan-test`, copyDaily: 30, copyWeekly: 26 });

  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-copies-'));
  try {
    expect(await runRestore(['--s3'], dataDir)).toContain(name);
    await expect(runRestore(['--s3', 'mozhan-other.tar'], dataDir)).rejects.toThrow('存储桶里没有');
    expect(await runRestore(['--s3', name, '--verify'], dataDir)).toContain('备份完好');
    const [downloaded] = await readdir(join(dataDir, 'backups'));
    expect(downloaded).toBe(name);
    expect((await stat(join(dataDir, 'backups', name))).mode & 0o777).toBe(0o600);
    await expect(runRestore(['--s3'], dataDir, { BACKUP_S3_BUCKET: 'empty-one' })).resolves.toContain(
      '还没有备份',
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('a failed copy is reported once and tried again after an hour; a public bucket gets nothing', async () => {
  const { id } = await createBackup();
  const { services } = t.app;
  const ctx = systemCtx(services);
  // Everyone can read this one.
  const careless = { ...s3.config, bucket: 'careless' };
  await expect(openCopies({ ...s3.config, endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(
    'BACKUP_S3_ENDPOINT',
  );

  const failing = { ...ctx, services: { ...services, config: { ...services.config, backupS3: careless } } };
  await copyBackup(failing, id);
  await copyBackup(failing, id);
  const [row] = await list();
  expect(row).toMatchObject({
    copiedAt: null,
    copyError: '存储桶 careless 里的内容人人可读，没有复制：请改成私有',
  });
  expect(await (await openCopies(careless)).list()).toEqual([]);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token });
  expect(notices.data.list.filter(({ text }) => text.startsWith('备份没有复制到 S3'))).toHaveLength(1);

  s3.requests.length = 0;
  await queueCopies(ctx);
  const later = { ...ctx, now: new Date(ctx.now.getTime() + 2 * 3_600_000) };
  await queueCopies(later);
  await expect
    .poll(async () => (await list())[0])
    .toMatchObject({ copyError: '', copiedAt: expect.any(String) });
});

test('of the copies of scheduled backups, the newest of each day and week are kept', async () => {
  const { id, name } = await createBackup();
  await t.call('PUT core/sys/backup/schedule', { copyDaily: 1, copyWeekly: 0 }, { token });
  const copies = await openCopies(s3.config);
  const path = join(t.app.services.config.dataDir, 'backups', name);
  await copies.put(path, { name: 'mozhan-20260101-040000.tar', isScheduled: true });
  await copies.put(path, { name: 'mozhan-20260102-040000.tar', isScheduled: false });
  await query("update backups set made_by = 'scheduled', copied_at = null where id = $1", [id]);
  await copyBackup(systemCtx(t.app.services), id);
  expect((await copies.listScheduled()).map((copy) => copy.name)).toEqual([name]);
  expect((await copies.list()).map((copy) => copy.name)).toContain('mozhan-20260102-040000.tar');
});

test('backups before updates and files on other machines are not copied', async () => {
  const { id } = await createBackup();
  await query("update backups set made_by = 'update', copied_at = null where id = $1", [id]);
  s3.requests.length = 0;
  await queueCopies(systemCtx(t.app.services));
  await query("update backups set made_by = 'command', name = 'mozhan-elsewhere.tar' where id = $1", [id]);
  await copyBackup(systemCtx(t.app.services), id);
  expect(s3.requests).toEqual([]);
});
