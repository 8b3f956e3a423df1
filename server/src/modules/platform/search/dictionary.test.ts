import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';
import { extendDictionary, loadDictionary, segment } from './rules/segment.ts';

let t: TestApp;
let other: TestApp;
let writer: TestUser;
let staff: string;
beforeAll(async () => {
  t = await startTestApp();
  other = await startTestApp({ sameDatabaseAs: t });
  writer = await createWriter(t, '陆青禾');
  staff = (await createStaff(t, ['search:list', 'search:update'])).token;
});
afterAll(async () => {
  await other.close();
  await t.close();
});

const addTerms = (words: string[], token: string | undefined = staff) =>
  t.call('POST core/sys/search/term', { words }, { token });
const listTerms = async (input: object = {}) =>
  (await t.call('GET core/sys/search/term', input, { token: staff })).data;
const findTermId = async (word: string) => (await listTerms({ keyword: word })).list[0]?.id ?? '';
const removeTerm = (id: string, token: string | undefined = staff) =>
  t.call('DELETE core/sys/search/term', { id }, { token });
const found = async (keyword: string, app = t) => {
  const { data } = await app.call('GET core/essay/', { keyword });
  return { ids: data.list.map(({ id }) => id), partial: data.partial ?? false };
};

test('added words are kept whole, and the built-in dictionary is unchanged', async () => {
  const base = await loadDictionary();
  const wordsOf = (dictionary: typeof base, text: string) => {
    const { bounds } = segment(dictionary, text);
    return bounds.slice(0, -1).map((at, index) => text.slice(at, bounds[index + 1]));
  };
  const before = wordsOf(base, '墨栈编辑部的飞鹤传书');
  const extended = await extendDictionary(base, ['墨栈编辑部', '飞鹤传书']);
  expect(wordsOf(extended, '墨栈编辑部的飞鹤传书')).toEqual(['墨栈编辑部', '的', '飞鹤传书']);
  expect(wordsOf(extended, '墨栈')).toEqual(wordsOf(base, '墨栈'));
  expect(wordsOf(base, '墨栈编辑部的飞鹤传书')).toEqual(before);
  expect(before).not.toContain('墨栈编辑部');
});

test('every process searches and indexes with a new word at once, and without a removed one', async () => {
  const old = await publishEssay(t, writer, { title: '飞鹤传书旧篇', content: '飞鹤传书很快。' });
  expect((await addTerms(['飛鶴傳書'])).data).toEqual({ created: 1, known: 0 });
  for (const app of [t, other]) {
    const fresh = await publishEssay(app, writer, { title: '新篇一则', content: '飛鶴傳書亦佳。' });
    // Another process drops its stored results a moment after the essay was published.
    for (const reader of [t, other])
      await expect
        .poll(() => found('飞鹤传书', reader))
        .toMatchObject({ ids: expect.arrayContaining([old, fresh]), partial: false });
  }
  const { rows } = await t.app.services.pool.query(
    `select version = indexed_version as fresh from search_term_lists`,
  );
  expect(rows).toEqual([{ fresh: false }]);
  expect((await removeTerm(await findTermId('飞鹤传书'))).success).toBe(true);
  for (const app of [t, other]) expect((await found('飞鹤传书', app)).ids).toContain(old);
});

test('lists words newest first, in pages and by keyword', async () => {
  for (const words of [['落霞孤鹜'], ['云中锦书'], ['青禾小集']]) {
    await addTerms(words);
    t.advance(1000);
  }
  const first = await listTerms({ pageSize: 2 });
  expect(first.list.map(({ word }) => word)).toEqual(['青禾小集', '云中锦书']);
  const second = await listTerms({ pageSize: 2, cursor: first.next });
  expect(second.list.map(({ word }) => word)).toEqual(['落霞孤鹜']);
  expect((await listTerms({ keyword: '锦书' })).list.map(({ word }) => word)).toEqual(['云中锦书']);
  expect((await listTerms({ keyword: '%' })).list).toEqual([]);
});

test('skips known words, and refuses a call that has no others', async () => {
  expect((await addTerms(['云中锦书', '雲中錦書', '山中来信'])).data).toEqual({ created: 1, known: 2 });
  expect((await addTerms(['山中来信'])).fields?.words).toBe('「山中来信」已经在词典里');
  expect((await addTerms(['山中来信', '云中锦书'])).fields?.words).toBe('这些词都已经在词典里');
  const answers = await Promise.all([1, 2, 3].map(() => addTerms(['同时添加'])));
  expect(answers.filter(({ success }) => success)).toHaveLength(1);
  const id = await findTermId('同时添加');
  const removals = await Promise.all([1, 2, 3].map(() => removeTerm(id)));
  expect(removals.filter(({ success }) => success)).toHaveLength(1);
  expect(removals.find(({ success }) => !success)?.errorMessage).toBe('词典里没有这个词');
});

test('refuses words that are no Chinese words, and too many of them', async () => {
  const { total } = await listTerms();
  const wrong = [
    'a',
    'English',
    '中',
    '有 空格',
    '标点，不行',
    '控制\u0007符',
    '零宽\u200b字',
    '长'.repeat(21),
  ];
  for (const word of wrong) {
    const { status, fields } = await addTerms(['好词语', word]);
    expect([status, fields?.words]).toEqual([422, expect.stringContaining('2 到 20 个汉字')]);
  }
  expect((await addTerms(['长'.repeat(41)])).status).toBe(422);
  expect((await addTerms([])).status).toBe(422);
  expect((await addTerms(Array.from({ length: 501 }, () => '好词语'))).status).toBe(422);
  const { pool } = t.app.services;
  await pool.query(
    `insert into search_terms select gen_random_uuid(), '字' || translate(lpad(n::text, 4, '0'), '0123456789', '零一二三四五六七八九'), now()
     from generate_series(1, 5000 - $1::int) as n`,
    [total],
  );
  expect((await addTerms(['超出的词'])).fields?.words).toBe('搜索词典最多添加 5000 个词');
  await pool.query(`delete from search_terms where word like '字%'`);
  expect((await listTerms()).total).toBe(total);
});

test('only staff with the permission read and change the words, and changes are logged', async () => {
  expect((await t.call('GET core/sys/search/term', {})).status).toBe(401);
  expect((await t.call('POST core/sys/search/term', { words: ['词语'] })).status).toBe(401);
  const lister = (await createStaff(t, ['search:list'])).token;
  for (const token of [writer.token, lister]) {
    expect((await addTerms(['词语'], token)).status).toBe(403);
    expect((await removeTerm(await findTermId('云中锦书'), token)).status).toBe(403);
  }
  expect((await t.call('GET core/sys/search/term', {}, { token: writer.token })).status).toBe(403);
  expect((await t.call('GET core/sys/search/term', {}, { token: lister })).success).toBe(true);
  await addTerms(['记录在案']);
  const id = await findTermId('记录在案');
  await removeTerm(id);
  const { rows } = await t.app.services.pool.query(
    `select call, target from operations where target like 'search-term%' order by id desc limit 2`,
  );
  expect(rows).toEqual([
    { call: 'DELETE core/sys/search/term', target: `search-term:${id}` },
    { call: 'POST core/sys/search/term', target: 'search-term' },
  ]);
});
