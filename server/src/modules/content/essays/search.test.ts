import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';

let t: TestApp;
let author: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
});
afterAll(() => t.close());

const list = async (query: object, token?: string) =>
  (await t.call('GET core/essay/', query, { token })).data;
const ids = async (query: object) => (await list(query)).list.map(({ id }) => id);

test('finds essays on the shelf immediately, with marks, and no essays off the shelf', async () => {
  const id = await publishEssay(t, author, {
    title: '用缝合怪算法排班',
    content: '缝合怪算法把两个班表拼在一起。',
  });
  const found = await list({ keyword: '缝合怪算法' });
  expect(found.list.map((essay) => essay.id)).toEqual([id]);
  const { title, excerpt } = found.list[0]?.found ?? { title: null, excerpt: null };
  const words = (part: { text: string; marks: [number, number][] } | null) =>
    part?.marks.map(([from, to]) => part.text.slice(from, to)).join('');
  expect(words(title)).toContain('缝合');
  expect(words(excerpt)).toContain('缝合');
  expect(await ids({ keyword: '缝合怪算法', category: 'tech' })).toEqual([id]);
  expect(await ids({ keyword: '缝合怪算法', category: 'app' })).toEqual([]);
  await t.call('PUT core/essay/status', { id, status: 4 }, { token: author.token });
  expect(await ids({ keyword: '缝合怪算法' })).toEqual([]);
});

test('reports when no essay contains all words', async () => {
  const id = await publishEssay(t, author, { content: '关于浑仪校准的旧笔记。' });
  expect(await list({ keyword: '浑仪校准' })).toMatchObject({ total: 1, list: [{ id }] });
  expect(await list({ keyword: '浑仪校准' })).not.toHaveProperty('partial');
  expect(await list({ keyword: '浑仪校准 紫薯烤鲸鱼' })).toMatchObject({ partial: true, list: [{ id }] });
  expect(await list({ keyword: '紫薯烤鲸鱼' })).toMatchObject({ total: 0, list: [] });
  expect(await list({ keyword: '紫薯烤鲸鱼' })).not.toHaveProperty('partial');
});

test('ranks an exact phrase above separate words', async () => {
  const apart = await publishEssay(t, author, {
    title: '漏刻与圭表',
    content: '漏刻，漏刻，还是漏刻。后来才说到圭表，圭表，圭表。',
  });
  const together = await publishEssay(t, author, {
    title: '一则',
    content: `${'前面说的都是别的事。'.repeat(30)}提到漏刻圭表一次。`,
  });
  expect(await ids({ keyword: '漏刻圭表' })).toEqual([together, apart]);
});

test('shows an excerpt of the current text', async () => {
  const id = await publishEssay(t, author, { content: '浮箭漏的第一版。' });
  const excerpts = async () =>
    (await list({ keyword: '浮箭漏' }, author.token)).list.map(({ found }) => found?.excerpt.text.trim());
  expect(await excerpts()).toEqual(['浮箭漏的第一版。']);
  expect(await excerpts()).toEqual(['浮箭漏的第一版。']);
  await t.app.services.pool.query('update essay_texts set text = $2 where essay_id = $1', [
    id,
    '浮箭漏的第二版。',
  ]);
  expect(await excerpts()).toEqual(['浮箭漏的第二版。']);
});

test('pages through results by cursor', async () => {
  for (let i = 0; i < 5; i += 1) await publishEssay(t, author, { content: '翻页用的生僻词鬊鬌。' });
  const first = await list({ keyword: '翻页用的生僻词', pageSize: 3 });
  const rest = await list({ keyword: '翻页用的生僻词', pageSize: 3, cursor: first.next });
  expect(first).toMatchObject({ total: 5, list: { length: 3 } });
  expect(new Set([...first.list, ...rest.list].map(({ id }) => id)).size).toBe(5);
  expect((await t.call('GET core/essay/', { keyword: '词', cursor: '-1' })).status).toBe(422);
});

test('suggests tags and authors', async () => {
  const writer = await createWriter(t, '欧阳锋利');
  await publishEssay(t, writer, { tags: ['分布式锁'] });
  const { data } = await t.call('GET core/essay/suggest', { keyword: '分布' });
  expect(data.tags).toContain('分布式锁');
  expect(
    (await t.call('GET core/essay/tag', { keyword: 'fenbushi' })).data.map(({ name }) => name),
  ).toContain('分布式锁');
  const people = await t.call('GET core/essay/suggest', { keyword: '欧阳' });
  expect(people.data.authors.map(({ id }) => id)).toEqual([writer.user.id]);
});
