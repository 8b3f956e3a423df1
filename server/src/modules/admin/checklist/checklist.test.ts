import type { ChecklistEntryName } from '@mozhan/contract/checklist.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const query = (text: string, values: unknown[] = []) => t.app.services.pool.query(text, values);
const read = async (token = admin) => (await t.call('GET core/sys/checklist/', {}, { token })).data;
const update = (input: object, token: string | undefined = admin) =>
  t.call('PUT core/sys/checklist/', input, { token });
const find = async (name: ChecklistEntryName) => (await read()).entries.find((entry) => entry.name === name);

test('the entries of a new site are open, and each is done by the data of its part', async () => {
  const { dismissed, entries } = await read();
  expect(dismissed).toBe(false);
  expect(entries.map(({ name, state }) => [name, state])).toEqual(
    ['title', 'contact', 'icp', 'adminEmail', 'mail', 'backup', 'secretKey', 'categories', 'essay'].map(
      (name) => [name, 'todo'],
    ),
  );
  expect((await find('backup'))?.text).toContain('/backups');
  expect((await find('adminEmail'))?.text).toContain('先配置好邮件');

  const settings = { title: '山间', email: 'hi@example.com', icp: '京ICP备1号' };
  await t.call('PUT core/sys/setting/', settings, { token: admin });
  expect(await find('title')).toMatchObject({ state: 'done', text: '站名是「山间」' });
  expect(await find('contact')).toMatchObject({ state: 'done' });
  expect(await find('icp')).toMatchObject({ state: 'done', text: '页脚显示 京ICP备1号' });

  await t.call('POST core/sys/category/', { name: '随笔', slug: 'notes' }, { token: admin });
  expect(await find('categories')).toMatchObject({ state: 'done', text: expect.stringContaining('随笔') });

  await query(`update accounts set email = 'a@example.com', email_verified = true where name = 'admin'`);
  expect(await find('adminEmail')).toMatchObject({ state: 'done' });
});

test('an essay of a demo user is not the first essay', async () => {
  const writer = await createWriter(t);
  await publishEssay(t, writer);
  await query('update users set demo = true where id = $1', [writer.user.id]);
  expect(await find('essay')).toMatchObject({ state: 'todo' });
  await query('update users set demo = false where id = $1', [writer.user.id]);
  expect(await find('essay')).toMatchObject({ state: 'done' });
});

test('a recent backup and a schedule are both needed', async () => {
  const insert = (days: number) =>
    query(
      `insert into backups (id, made_by, status, name, created_at, seen_at, finished_at)
        values ($1, 'command', 'done', $2, $3, $3, $3)`,
      [newId(), `mozhan-${days}.tar`, new Date(Date.now() - days * 86_400_000)],
    );
  const schedule = (on: boolean) => t.call('PUT core/sys/backup/schedule', { on }, { token: admin });
  await schedule(true);
  await insert(9);
  expect(await find('backup')).toMatchObject({ state: 'todo', text: expect.stringContaining('9 天前') });
  await insert(0);
  expect(await find('backup')).toMatchObject({ state: 'done', text: expect.stringContaining('04:00') });
  await schedule(false);
  expect(await find('backup')).toMatchObject({
    state: 'todo',
    text: expect.stringContaining('没有开启定时备份'),
  });
});

test('staff skip entries, dismiss the list and show it again; each change is logged', async () => {
  await Promise.all([update({ skipped: { mail: true } }), update({ skipped: { secretKey: true } })]);
  await update({ dismissed: true });
  expect(await find('mail')).toMatchObject({ state: 'skipped' });
  expect(await find('secretKey')).toMatchObject({ state: 'skipped' });
  expect((await read()).dismissed).toBe(true);
  await update({ dismissed: false, skipped: { mail: false } });
  expect(await find('mail')).toMatchObject({ state: 'todo' });
  expect((await read()).dismissed).toBe(false);
  const { list } = (await t.call('GET core/sys/log/', { target: 'setting:checklist' }, { token: admin }))
    .data;
  expect(list[0]).toMatchObject({
    before: { dismissed: true, mail: 'skipped' },
    after: { dismissed: false, mail: null },
  });
  expect(list).toHaveLength(4);
});

test('the confirmation of the key does not apply to another key', async () => {
  await update({ skipped: { secretKey: true } });
  expect(await find('secretKey')).toMatchObject({ state: 'skipped' });
  await query(`update settings set value = value || '{"secretKey": "00000000"}' where key = 'checklist'`);
  expect(await find('secretKey')).toMatchObject({ state: 'todo' });
});

test('needs the permissions, and lists only what the viewer may do', async () => {
  const reader = await t.register();
  const viewer = await createStaff(t, ['checklist:list', 'category:update']);
  expect((await t.call('GET core/sys/checklist/')).status).toBe(401);
  expect((await t.call('GET core/sys/checklist/', {}, { token: reader.token })).status).toBe(403);
  expect((await read(viewer.token)).entries.map(({ name }) => name)).toEqual(['categories']);
  expect((await update({ dismissed: true }, viewer.token)).status).toBe(403);
  for (const input of [{ dismissed: 1 }, { skipped: { unknown: true } }, { skipped: { mail: 'yes' } }])
    expect(await update(input)).toMatchObject({ status: 422, errorCode: 'INVALID' });
  expect((await read()).dismissed).toBe(false);
});
