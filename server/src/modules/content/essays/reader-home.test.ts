import { MAX_NEW_ESSAYS } from '@mozhan/contract/reader-home.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';

const DAY_MS = 86_400_000;
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t, '林砚');
});
afterAll(() => t.close());

const home = async (by: TestUser) => (await t.call('GET core/user/home', {}, { token: by.token })).data;
const visit = (by: TestUser) => t.call('PUT core/user/home', {}, { token: by.token });
async function read(essayId: string, progress: number, by: TestUser): Promise<void> {
  t.advance(1000);
  await t.call('POST core/essay/read', { essayId, progress }, { token: by.token, headers });
}

test('requires a signed-in user', async () => {
  expect((await t.call('GET core/user/home')).status).toBe(401);
  expect((await t.call('PUT core/user/home')).status).toBe(401);
});

test('the last essays that were opened but not finished, with the progress', async () => {
  const reader = await t.register();
  expect(await home(reader)).toEqual({ unfinished: [], newCount: 0 });
  const ids: string[] = [];
  for (const title of ['甲', '乙', '丙', '丁', '戊']) ids.push(await publishEssay(t, author, { title }));
  for (const [index, progress] of [40, 4, 95, 60, 94].entries())
    await read(ids[index] ?? '', progress, reader);
  const titles = async () => (await home(reader)).unfinished.map(({ title, progress }) => [title, progress]);
  expect(await titles()).toEqual([
    ['戊', 94],
    ['丁', 60],
  ]);
  expect((await home(reader)).unfinished[0]).toMatchObject({
    id: ids[4],
    author: { displayName: '林砚' },
    readAt: expect.any(String),
  });
  await read(ids[4] ?? '', 100, reader);
  expect(await titles()).toEqual([
    ['丁', 60],
    ['甲', 40],
  ]);
  await t.call('PUT core/essay/status', { id: ids[3] ?? '', status: 4 }, { token: author.token });
  expect(await titles()).toEqual([['甲', 40]]);
  const other = await t.register();
  expect((await home(other)).unfinished).toEqual([]);
});

test('counts unread essays of followed authors since the last visit', async () => {
  const reader = await t.register();
  const writer = await createWriter(t, '周牧');
  await publishEssay(t, writer);
  t.advance(8 * DAY_MS);
  const id = await publishEssay(t, writer);
  await publishEssay(t, author);
  expect((await home(reader)).newCount).toBe(0);
  await t.call('POST core/essay/follow', { userId: writer.user.id }, { token: reader.token });
  expect((await home(reader)).newCount).toBe(1);
  await read(id, 3, reader);
  expect((await home(reader)).newCount).toBe(0);
  t.advance(DAY_MS);
  await publishEssay(t, writer);
  await publishEssay(t, writer);
  expect((await home(reader)).newCount).toBe(2);
  t.advance(1000);
  expect((await visit(reader)).status).toBe(200);
  expect((await home(reader)).newCount).toBe(0);
  t.advance(20 * DAY_MS);
  await publishEssay(t, writer);
  expect((await home(reader)).newCount).toBe(1);
});

test('stops counting at a maximum', async () => {
  const reader = await t.register();
  const writer = await createWriter(t);
  const id = await publishEssay(t, writer);
  await t.call('POST core/essay/follow', { userId: writer.user.id }, { token: reader.token });
  await t.app.services.pool.query(
    `insert into essays (id, author_id, status, title, category_id, shelved_version, published_at, updated_at, saved_at,
       created_at)
     select gen_random_uuid(), author_id, status, title, category_id, shelved_version, published_at, updated_at, saved_at,
       created_at
     from essays, generate_series(1, $2::int) where id = $1`,
    [id, MAX_NEW_ESSAYS + 20],
  );
  expect((await home(reader)).newCount).toBe(MAX_NEW_ESSAYS);
});
