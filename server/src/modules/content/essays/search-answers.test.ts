import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { mergeNewWords } from '../../platform/search/actions/refresh.ts';
import { runReindex } from './actions/reindex.ts';

let t: TestApp;
let linyan: TestUser;
let other: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  linyan = await createWriter(t, '林砚');
  other = await createWriter(t, '别人');
});
afterAll(() => t.close());

const DAY_MS = 86_400_000;
const list = async (query: object) => (await t.call('GET core/essay/', query)).data;
const ids = async (query: object) => (await list(query)).list.map(({ id }) => id);
const suggest = async (query: { keyword: string; essays?: 0 | 1 }) =>
  (await t.call('GET core/essay/suggest', query)).data;
const ctx = () => systemCtx(t.app.services);

async function createColumn(writer: TestUser, name: string): Promise<string> {
  const { data } = await t.call('POST core/essay/column', { name }, { token: writer.token });
  return data.id;
}

describe('a name', () => {
  test('of a person finds the person and their essays, also by pinyin and in traditional characters', async () => {
    const own = [
      await publishEssay(t, linyan, { title: '水运仪象台' }),
      await publishEssay(t, linyan, { title: '简仪与仰仪' }),
    ];
    const mention = await publishEssay(t, other, {
      title: '一次谈话',
      content: '那天林砚来了，林砚说得很多，林砚走得很晚。',
    });
    for (const keyword of ['林砚', 'linyan', '林硯', 'LinYan', 'lin yan']) {
      const found = await ids({ keyword });
      expect(found.slice(0, 2).toSorted(), keyword).toEqual(own.toSorted());
      expect(found, keyword).toContain(mention);
      const { authors } = await suggest({ keyword });
      expect(authors, keyword).toMatchObject([{ id: linyan.user.id, essayCount: 2, followerCount: 0 }]);
    }
    expect(await list({ keyword: 'linyan' })).toMatchObject({ corrected: '林砚' });
    expect(await list({ keyword: '林砚' })).not.toHaveProperty('corrected');
    expect((await ids({ keyword: 'linyan 简仪' }))[0]).toBe(own[1]);
    const latin = await publishEssay(t, other, { title: '账号', content: '用 linyan 登录。' });
    expect((await ids({ keyword: 'linyan', pageSize: 9 })).toSorted()).toEqual(
      [...own, mention, latin].toSorted(),
    );
  });

  test('of a tag finds its essays, also by pinyin', async () => {
    const id = await publishEssay(t, other, { title: '别的题目', tags: ['浑象校准'] });
    for (const keyword of ['浑象校准', 'hunxiangjiaozhun', '渾象校準'])
      expect(await ids({ keyword }), keyword).toEqual([id]);
    expect((await suggest({ keyword: 'hunxiang' })).tags).toEqual(['浑象校准']);
  });

  test('of a column finds its essays, until it is renamed or removed', async () => {
    const columnId = await createColumn(other, '灯下漫记');
    expect((await suggest({ keyword: '灯下' })).columns).toEqual([]);
    const id = await publishEssay(t, other, { title: '第一夜', columnId });
    for (const keyword of ['灯下漫记', 'dengxiamanji', '燈下漫記']) {
      expect(await ids({ keyword }), keyword).toEqual([id]);
      expect((await suggest({ keyword })).columns, keyword).toEqual([
        { id: columnId, name: '灯下漫记', essayCount: 1, author: { id: other.user.id, displayName: '别人' } },
      ]);
    }
    await t.call('PUT core/essay/column', { id: columnId, name: '窗前杂录' }, { token: other.token });
    await runReindex(ctx());
    expect(await ids({ keyword: '灯下漫记' })).toEqual([]);
    expect(await ids({ keyword: '窗前杂录' })).toEqual([id]);
    expect((await suggest({ keyword: '灯下' })).columns).toEqual([]);
    await t.call('DELETE core/essay/column', { id: columnId }, { token: other.token });
    await runReindex(ctx());
    expect(await ids({ keyword: '窗前杂录' })).toEqual([]);
    expect((await suggest({ keyword: '窗前' })).columns).toEqual([]);
  });
});

describe('matches', () => {
  test('of only some words are labelled and come last', async () => {
    const both = await publishEssay(t, other, { title: '漏壶与日晷' });
    const one = await publishEssay(t, other, { title: '漏壶，漏壶，漏壶' });
    const { list: found, ...page } = await list({ keyword: '漏壶 日晷' });
    expect(found.map(({ id, found }) => [id, found?.partial ?? false])).toEqual([
      [both, false],
      [one, true],
    ]);
    expect(page).not.toHaveProperty('partial');
    const latest = await list({ keyword: '漏壶 日晷', sort: 'latest' });
    expect(latest.list.map(({ id }) => id)).toEqual([both, one]);
  });

  test('are found in spite of a wrong character, a space or the words of Taiwan', async () => {
    const id = await publishEssay(t, other, {
      title: '给伺服电机写布隆过滤器',
      content: '内存泄漏与数据库。',
    });
    await mergeNewWords(ctx());
    for (const [keyword, corrected] of [
      ['布隆过虑器', '布隆过滤器'],
      ['布隆過濾氣', '布隆过滤器'],
      ['bulongguolvqi', '布隆过滤器'],
      ['記憶體洩漏 資料庫', '内存泄漏 数据库'],
    ])
      expect(await list({ keyword }), keyword).toMatchObject({ corrected, list: [{ id }] });
  });
});

describe('filters', () => {
  test('limit a search by author, category, tag, column, price and time, alone and together', async () => {
    const columnId = await createColumn(linyan, '罗盘考');
    const old = await publishEssay(t, linyan, { title: '司南一', tags: ['指南'], columnId });
    t.advance(20 * DAY_MS);
    const paid = await publishEssay(t, other, {
      title: '司南二',
      price: 500,
      content: '司南。\n\n后面要付费。',
    });
    t.advance(DAY_MS);
    const fresh = await publishEssay(t, other, { title: '司南三', tags: ['指南'] });
    const found = async (query: object) => (await ids({ keyword: '司南', ...query })).toSorted();
    expect(await found({})).toEqual([old, paid, fresh].toSorted());
    expect(await found({ authorId: linyan.user.id })).toEqual([old]);
    expect(await found({ category: 'tech' })).toHaveLength(3);
    expect(await found({ category: 'app' })).toEqual([]);
    expect(await found({ tag: '指南' })).toEqual([old, fresh].toSorted());
    expect(await found({ tag: '没有这个标签' })).toEqual([]);
    expect(await found({ columnId })).toEqual([old]);
    expect(await found({ price: 'paid' })).toEqual([paid]);
    expect(await found({ price: 'free' })).toEqual([old, fresh].toSorted());
    expect(await found({ since: 'week' })).toEqual([paid, fresh].toSorted());
    expect(await found({ since: 'month' })).toHaveLength(3);
    expect(await found({ since: 'year', authorId: other.user.id, tag: '指南' })).toEqual([fresh]);
    expect(await list({ keyword: '司南', price: 'paid' })).toMatchObject({ total: 1 });
  });

  test('and sorting are refused without a keyword, and unknown values always', async () => {
    for (const query of [{ sort: 'latest' }, { since: 'week' }, { price: 'free' }]) {
      const answer = await t.call('GET core/essay/', query as object);
      expect(answer.status).toBe(422);
      expect(answer.errorMessage).toContain('搜索');
    }
    for (const query of [{ sort: 'x' }, { since: 'day' }, { price: '0' }, { authorId: 'x' }])
      expect((await t.call('GET core/essay/', { keyword: '司南', ...query } as object)).status).toBe(422);
  });
});

test('results are sorted by relevance, time or heat, with pages that do not overlap', async () => {
  const first = await publishEssay(t, other, { title: '记里鼓车' });
  t.advance(DAY_MS);
  const second = await publishEssay(t, other, {
    title: '别的车',
    content: `${'一路走来，说了许多。'.repeat(30)}记里鼓车。`,
  });
  t.advance(DAY_MS);
  const third = await publishEssay(t, other, { title: '再说记里鼓车' });
  await t.app.services.pool.query(`update search_essays set stat = fresh + 3 where id = $1`, [second]);
  expect((await ids({ keyword: '记里鼓车' }))[2]).not.toBe(first);
  expect(await ids({ keyword: '记里鼓车', sort: 'latest' })).toEqual([third, second, first]);
  expect((await ids({ keyword: '记里鼓车', sort: 'hot' }))[0]).toBe(second);
  const page = await list({ keyword: '记里鼓车', sort: 'latest', pageSize: 2 });
  expect(page.list.map(({ id }) => id)).toEqual([third, second]);
  expect(await ids({ keyword: '记里鼓车', sort: 'latest', pageSize: 2, cursor: page.next })).toEqual([first]);
});

describe('suggestions', () => {
  test('always offer essays: by title, by text, by an unfinished word, or else popular ones', async () => {
    const titled = await publishEssay(t, other, { title: '水排鼓风记', content: '冶铁用 bellowsmith。' });
    await mergeNewWords(ctx());
    for (const keyword of ['水排', '水排鼓', '冶铁', 'bellows', 'bellowsmith']) {
      const { essays, popular } = await suggest({ keyword });
      expect(essays[0], keyword).toMatchObject({ id: titled, title: { text: '水排鼓风记' }, author: '别人' });
      expect(popular, keyword).toBeUndefined();
    }
    expect((await suggest({ keyword: '水排' })).essays[0]?.title.marks).toEqual([[0, 2]]);
    const { essays: byName } = await suggest({ keyword: 'linyan' });
    expect(byName.length).toBeGreaterThanOrEqual(2);
    expect((await suggest({ keyword: 'liny' })).essays.map(({ author }) => author)).toContain('林砚');
    expect(await suggest({ keyword: 'liny' })).not.toHaveProperty('popular');
    const nothing = await suggest({ keyword: 'zzqqzzqq' });
    expect(nothing).toMatchObject({ popular: true, words: [], tags: [], authors: [], columns: [] });
    expect(nothing.essays).toHaveLength(3);
    expect((await suggest({ keyword: '水排', essays: 0 })).essays).toEqual([]);
    expect(await suggest({ keyword: ' ' })).toMatchObject({ essays: [], words: [] });
  });
});

describe('own lists', () => {
  test('are searched by title, author, tag and text, and only by their owner', async () => {
    const reader = await t.register();
    const [byText, byName, unread] = [
      await publishEssay(t, other, { title: '一篇', content: '说的是翻车与筒车。', tags: ['水利'] }),
      await publishEssay(t, linyan, { title: '另一篇' }),
      await publishEssay(t, other, { title: '没有读过的筒车' }),
    ];
    for (const essayId of [byText, byName]) {
      await t.call('POST core/essay/collect', { essayId }, { token: reader.token });
      await t.call(
        'POST core/essay/read',
        { essayId, progress: 3 },
        { token: reader.token, headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Firefox/140.0' } },
      );
    }
    const history = async (keyword: string) => {
      const { data } = await t.call('GET core/essay/read', { keyword }, { token: reader.token });
      expect(data.total).toBe(data.list.length);
      return data.list.map(({ id }) => id);
    };
    const collected = async (keyword: string) => {
      const { data } = await t.call('GET core/user/profile/collect', { keyword }, { token: reader.token });
      return data.list.map(({ id }) => id);
    };
    for (const find of [history, collected]) {
      expect(await find('筒车')).toEqual([byText]);
      expect(await find('筒車')).toEqual([byText]);
      expect(await find('水利')).toEqual([byText]);
      expect(await find('林砚')).toEqual([byName]);
      expect(await find('linyan')).toEqual([byName]);
      expect(await find('')).toHaveLength(2);
      expect(await find("%_'")).toEqual([]);
      expect(await find('没有读过')).toEqual([]);
    }
    expect(await ids({ keyword: '没有读过的筒车' })).toContain(unread);
    expect((await t.call('GET core/essay/read', { keyword: '筒车' })).status).toBe(401);
  });
});

test('essays older than a month are left out by then', async () => {
  await publishEssay(t, other, { title: '候风地动仪' });
  expect(await ids({ keyword: '候风地动仪', since: 'month' })).toHaveLength(1);
  t.advance(40 * DAY_MS);
  // Another page size, because the response was cached.
  expect(await ids({ keyword: '候风地动仪', since: 'month', pageSize: 9 })).toEqual([]);
  expect(await ids({ keyword: '候风地动仪', since: 'year' })).toHaveLength(1);
});

test('a long or strange query is answered', async () => {
  for (const keyword of [
    'zhuangshuangchuang'.repeat(5),
    '布隆过虑器'.repeat(20),
    Array.from({ length: 50 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(' '),
    'aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee ffffffffff gggggggggg hhhhhhhhhh',
    'shishishishishishishishishishishishishishishishishishi',
    '資料庫記憶體執行緒'.repeat(10),
  ])
    expect((await t.call('GET core/essay/', { keyword: keyword.slice(0, 100) })).status).toBe(200);
});
