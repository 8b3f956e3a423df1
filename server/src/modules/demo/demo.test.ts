import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare } from '../../first-start.ts';
import { systemCtx } from '../../jobs.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { fillDemo, removeDemo } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const people = async () =>
  (await t.app.services.pool.query('select display_name, head_img from users where demo order by id')).rows;

// Laying out all the essays takes a while on a busy machine.
test('six people with faces are made once, also by two processes at once, and can sign in', {
  timeout: 120_000,
}, async () => {
  const ctx = () => systemCtx(t.app.services);
  const passwords = await Promise.all([fillDemo(ctx()), fillDemo(ctx())]);
  const [password] = passwords.filter((each) => each !== null);
  expect(passwords.filter((each) => each !== null)).toHaveLength(1);
  expect(await fillDemo(ctx())).toBeNull();
  const list = await people();
  expect(list.map((person) => person.display_name)).toEqual(['林砚', '周牧', '苏禾', '陈铎', '顾薇', '何青']);
  expect(new Set(list.map((person) => person.head_img)).size).toBe(6);
  for (const person of list) {
    const picture = await t.app.server.inject(person.head_img);
    expect(picture.headers['content-type']).toBe('image/webp');
  }
  const signIn = await t.call('POST core/account/login', { account: 'suhe', password: password ?? '' });
  expect(signIn.data).toMatchObject({ displayName: '苏禾', curIdentity: 2 });
});

test('what they wrote is on the shelf, in its columns, found by searching, each worth a page', async () => {
  const essays = async (query: object) => (await t.call('GET core/essay/', { pageSize: 100, ...query })).data;
  const { list, total } = await essays({});
  expect(total).toBeGreaterThanOrEqual(20);
  for (const slug of ['program', 'tech', 'app'])
    expect((await essays({ category: slug })).total).toBeGreaterThan(2);
  for (const { title, summary, wordCount, tags } of list) {
    expect(summary, title).not.toBe('');
    expect(tags.length, title).toBeGreaterThan(0);
    expect(wordCount, title).toBeGreaterThanOrEqual(800);
  }
  const bodies = await Promise.all(
    list.map(async ({ id }) => (await t.call('GET core/essay/{id}', { id })).data),
  );
  expect(bodies.some(({ hasMath }) => hasMath)).toBe(true);
  expect(bodies.some(({ hasDiagrams }) => hasDiagrams)).toBe(true);
  expect(bodies.some(({ html }) => html.includes('<table'))).toBe(true);
  expect(bodies.filter(({ column }) => column !== null).length).toBeGreaterThanOrEqual(5);
  expect((await essays({ keyword: '任务队列' })).total).toBeGreaterThan(0);
});

test('they stay while one of them is the only one who can run the site', async () => {
  const { pool } = t.app.services;
  const setAdmin = (enabled: boolean) =>
    pool.query(`update accounts set enabled = $1 where name = 'admin'`, [enabled]);
  await pool.query(
    `insert into account_roles select user_id, roles.id from accounts, roles where accounts.name = 'suhe' and code = 'super'`,
  );
  await setAdmin(false);
  await expect(removeDemo(systemCtx(t.app.services))).rejects.toMatchObject({ code: 'LAST_SUPER_ADMIN' });
  expect(await people()).toHaveLength(6);
  await setAdmin(true);
});

test('one command takes them away with their files, and they do not come back', async () => {
  const { user } = await t.register();
  expect(await removeDemo(systemCtx(t.app.services))).toBe(6);
  expect(await people()).toEqual([]);
  const left = await readdir(t.app.services.files.root, { recursive: true });
  expect(left.filter((name) => name.endsWith('.webp'))).toEqual([]);
  await prepare({
    ...systemCtx(t.app.services),
    services: { ...t.app.services, config: { ...t.app.services.config, demo: true } },
  });
  expect(await people()).toEqual([]);
  expect((await t.call('GET core/user/public', { id: user.id })).success).toBe(true);
  expect((await t.call('GET core/essay/', {})).data).toMatchObject({ list: [], total: 0 });
  expect((await t.call('GET core/essay/tag', {})).data).toEqual([]);
  expect((await t.call('GET core/essay/', { keyword: '任务队列' })).data.total).toBe(0);
});
