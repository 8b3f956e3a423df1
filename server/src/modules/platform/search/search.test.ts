import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ctx, inTx } from '../../../ctx.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { foldNewWords, refreshSearch } from './actions/refresh.ts';
import {
  excerpt,
  findNames,
  indexEssay,
  indexName,
  type SearchDoc,
  searchEssays,
  suggest,
  unindexEssay,
  unindexName,
  updateHeat,
} from './index.ts';
import { jobs, schedule } from './jobs.ts';

let t: TestApp;
let ctx: Ctx;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
});
afterAll(() => t.close());

const category = newId();
const essay = (fields: Partial<SearchDoc>): SearchDoc => ({
  id: newId(),
  title: '无题',
  tags: [],
  author: '佚名',
  categoryId: category,
  text: '',
  publishedAt: new Date('2026-01-01T00:00:00Z'),
  hot: 0,
  ...fields,
});
async function put(fields: Partial<SearchDoc>): Promise<string> {
  const doc = essay(fields);
  await indexEssay(ctx, doc);
  return doc.id;
}
const ask = (keyword: string, more: { categoryId?: string; offset?: number; limit?: number } = {}) =>
  searchEssays(ctx, { keyword, offset: 0, limit: 20, ...more });
const found = async (keyword: string): Promise<string[]> => (await ask(keyword)).ids;

describe('an essay', () => {
  test('is found by words of its title, text, tags and author, also apart and in another order', async () => {
    const id = await put({
      title: '少了一分钱',
      text: '数据库的事务没有锁住那一行，于是对账不平。',
      tags: ['写偏斜'],
      author: '林砚秋',
    });
    for (const keyword of ['一分钱', '数据库事务', '事务 数据库', '对账', '写偏斜', '林砚秋']) {
      expect(await found(keyword), keyword).toContain(id);
    }
    expect(await found('量子纠缠')).toEqual([]);
  });

  test('is found by what it says now, and not at all once it is removed', async () => {
    const doc = essay({ title: '阳台上的番茄' });
    await indexEssay(ctx, doc);
    expect(await found('番茄')).toEqual([doc.id]);
    await indexEssay(ctx, { ...doc, title: '阳台上的黄瓜' });
    expect(await found('番茄')).toEqual([]);
    expect(await found('黄瓜')).toEqual([doc.id]);
    await unindexEssay(ctx, doc.id);
    expect(await found('黄瓜')).toEqual([]);
    await unindexEssay(ctx, doc.id);
  });

  test('is not there when the transaction that shelves it fails', async () => {
    const doc = essay({ title: '没有写成的鹦鹉螺' });
    await expect(
      inTx(ctx, async (ctx) => {
        await indexEssay(ctx, doc);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await found('鹦鹉螺')).toEqual([]);
  });

  test('in traditional characters is found in simplified ones, and the other way round', async () => {
    const traditional = await put({ title: '資料庫與併發控制', text: '鎖與樂觀鎖。' });
    const simplified = await put({ title: '编译器前端的词法分析' });
    expect(await found('资料库 并发控制')).toContain(traditional);
    expect(await found('編譯器')).toContain(simplified);
    expect(await found('ＡＢＣ編譯器　')).toContain(simplified);
  });

  test('with names of programming languages and versions is found by them, whole and in parts', async () => {
    const cpp = await put({ title: '给 C++ 写一个解析库' });
    const sharp = await put({ title: 'C# 里的异步' });
    const net = await put({ title: '把 .NET 服务搬进容器' });
    const node = await put({ title: 'Node.js 的事件循环' });
    const gpt = await put({ title: '用 GPT-4o 读图' });
    const k8s = await put({ title: 'K8s 升级记' });
    expect(await found('c++')).toEqual([cpp]);
    expect(await found('C#')).toEqual([sharp]);
    expect(await found('.net')).toEqual([net]);
    for (const keyword of ['node.js', 'NodeJS', 'node', 'Node.js 事件循环']) {
      expect(await found(keyword), keyword).toEqual([node]);
    }
    for (const keyword of ['gpt-4o', 'gpt4o', 'GPT']) expect(await found(keyword), keyword).toEqual([gpt]);
    expect(await found('k8s')).toEqual([k8s]);
  });

  test('with a word that no dictionary has is found by it', async () => {
    const id = await put({ title: '忒修斯之船', text: '犇羴鱻三个字怎么念。' });
    expect(await found('忒修斯')).toEqual([id]);
    expect(await found('犇羴鱻')).toEqual([id]);
  });

  test('stands before others when the word is in its title, and when it is read more', async () => {
    const filler = '晚饭以后我们沿着河走了很远，谈到许多旧事。'.repeat(10);
    const inText = await put({ title: '散步', text: `${filler}路过一座天文馆。` });
    const inTitle = await put({ title: '天文馆的一天', text: filler });
    expect(await found('天文馆')).toEqual([inTitle, inText]);
    const quiet = await put({ title: '水母的灯', text: filler });
    const read = await put({ title: '水母的灯', text: filler, hot: 0 });
    await updateHeat(ctx, [
      { id: read, hot: 5000 },
      { id: newId(), hot: 3 },
    ]);
    expect(await found('水母')).toEqual([read, quiet]);
    await updateHeat(ctx, [{ id: quiet, hot: 100_000 }]);
    expect(await found('水母')).toEqual([quiet, read]);
    await updateHeat(ctx, []);
  });

  test('of 200 000 characters is taken', async () => {
    const words = ['溪流', '山谷', '书桌', '台灯', '窗外', '雨声', 'letter', '咖啡'];
    const text = Array.from({ length: 70_000 }, (_, index) => words[(index * 7) % words.length]).join('，');
    const id = await put({ title: '很长的一篇', text: text.slice(0, 200_000) });
    expect(await found('溪流 台灯')).toContain(id);
  });
});

describe('a question', () => {
  test('that no essay answers as a whole is answered in part', async () => {
    const id = await put({ title: '为什么索引没有生效', text: '优化器算错了行数。' });
    expect(await found('索引失效')).toContain(id);
    expect(await found('如何让索引生效的玫瑰花园')).toContain(id);
    expect(await ask('索引生效的玫瑰花园')).toMatchObject({ isPartial: true });
    expect(await ask('索引生效')).toMatchObject({ isPartial: false });
    expect(await ask('玫瑰花园')).toMatchObject({ ids: [], isPartial: false });
  });

  test('of a word made of two finds essays that have both apart, behind those that have the word', async () => {
    const whole = await Promise.all(
      [...'子丑寅卯辰巳午未申酉戌亥'].map((mark) => put({ title: `消息队列笔记之${mark}` })),
    );
    const apart = await put({ title: '先到先得', text: '消息一条一条排成队列，等着被取走。', hot: 100_000 });
    const one = await put({ title: '别的事', text: '只收到一条消息。' });
    const answer = await ask('消息队列');
    expect(answer.ids.slice(0, 12).toSorted()).toEqual(whole.toSorted());
    expect(answer.ids.slice(12)).toEqual([apart]);
    expect(answer).toMatchObject({ total: 13, isPartial: false });
    expect(answer.ids).not.toContain(one);
  });

  test('in one category is answered from that category', async () => {
    const other = newId();
    const here = await put({ title: '蒲公英手记' });
    const there = await put({ title: '蒲公英手记', categoryId: other });
    expect((await ask('蒲公英')).ids.toSorted()).toEqual([here, there].toSorted());
    expect(await ask('蒲公英', { categoryId: other })).toMatchObject({ ids: [there], total: 1 });
    expect((await ask('蒲公英', { categoryId: newId() })).ids).toEqual([]);
  });

  test('of nothing that could be found has no answer', async () => {
    for (const keyword of [
      '',
      '   ',
      '，。！？…',
      '\u0000\u0001\u001f',
      "'; drop table search_essays; --",
      '%_\\',
      '{1,2}',
      '\ud800',
      '🀄🀄',
      '不存在'.repeat(3334),
      'x'.repeat(10_000),
    ]) {
      expect(await ask(keyword), keyword.slice(0, 20)).toMatchObject({ ids: [], total: 0, corrected: null });
    }
    const id = await put({ title: '控制字符也无妨的浑天仪' });
    expect(await found('浑天仪\u0000')).toEqual([id]);
  });

  test('of one character looks at titles and tags', async () => {
    const id = await put({ title: '论鲸', text: '海里的事。' });
    const text = await put({ title: '别的', text: '也提到了鲸。' });
    expect(await found('鲸')).toEqual([id]);
    expect(await found('鲸')).not.toContain(text);
  });

  test('with a mistyped Latin word is mended', async () => {
    const id = await put({ title: 'PostgreSQL 与 Kubernetes', text: 'the replication slot of postgresql' });
    const typed = await put({ title: 'postgersql 这样写的一篇' });
    await foldNewWords(ctx);
    for (const [keyword, meant] of [
      ['kubernetse', 'kubernetes'],
      ['kubenetes', 'kubernetes'],
      ['kubbernetes', 'kubernetes'],
      ['postgrasql', 'postgresql'],
      ['repication 槽', 'replication 槽'],
    ]) {
      const answer = await ask(keyword ?? '');
      expect(answer, keyword).toMatchObject({ corrected: meant });
      expect(answer.ids, keyword).toContain(id);
    }
    // What somebody has written so is no error.
    expect(await ask('postgersql')).toMatchObject({ ids: [typed], corrected: null });
    expect(await ask('zzzzqqqq')).toMatchObject({ ids: [], total: 0, corrected: null });
  });

  test('with a Latin word that lacks a letter finds the word that was meant', async () => {
    const linux = await put({ title: 'Linux 的平均负载' });
    const lisp = await put({ title: '一百行的 Lisp' });
    const pratt = await put({ title: 'Pratt 解析' });
    const deno = await put({ title: 'Deno.js 的权限' });
    // Other words, more used, that differ by as much.
    for (let times = 0; times < 5; times++) await put({ title: '行与部分', text: 'line part list' });
    await foldNewWords(ctx);
    for (const [keyword, meant, id] of [
      ['linx', 'linux', linux],
      ['lsp', 'lisp', lisp],
      ['prat', 'pratt', pratt],
      ['den.js', 'deno.js', deno],
    ] as const) {
      const answer = await ask(keyword);
      expect(answer, keyword).toMatchObject({ corrected: meant });
      expect(answer.ids[0], keyword).toBe(id);
    }
    // A short word that essays have is no error; one that only removed essays had is.
    expect(await ask('js 玳瑁')).toMatchObject({ corrected: null });
    const removed = essay({ title: 'prattt 写错的一篇' });
    await indexEssay(ctx, removed);
    await foldNewWords(ctx);
    await unindexEssay(ctx, removed.id);
    expect(await ask('prattt')).toMatchObject({ corrected: 'pratt', ids: [pratt] });
    expect(await ask('pratttt')).toMatchObject({ corrected: null, ids: [] });
  });

  test('says what to mark', async () => {
    await put({ title: '量身定做的瓷器', text: '景德镇的瓷器。' });
    expect((await ask('瓷器')).terms).toEqual(['瓷器']);
  });
});

test('pages do not overlap, reach a thousand, and the count stops there', async () => {
  const docs = Array.from({ length: 1100 }, (_, index) =>
    essay({ title: `第${index}号信天翁`, text: index % 2 === 0 ? '风大' : '风小', hot: index }),
  );
  for (let at = 0; at < docs.length; at += 100) {
    await inTx(ctx, async (ctx) => {
      for (const doc of docs.slice(at, at + 100)) await indexEssay(ctx, doc);
    });
  }
  const seen: string[] = [];
  for (let offset = 0; offset < 1100; offset += 70) {
    const page = await ask('信天翁', { offset, limit: 70 });
    expect(page.total).toBe(1001);
    seen.push(...page.ids);
  }
  expect(seen).toHaveLength(1000);
  expect(new Set(seen).size).toBe(1000);
  expect((await ask('信天翁 风大', { limit: 5 })).total).toBe(550);
});

test('essays with the same words are published at the same time without waiting in a circle', async () => {
  const words = Array.from({ length: 60 }, (_, index) => `concurrent${index}`);
  const docs = Array.from({ length: 40 }, (_, index) =>
    essay({
      title: `同时发表的翠鸟 ${index}`,
      text: (index % 2 === 0 ? words : words.toReversed()).join(' '),
    }),
  );
  const batches = [docs.slice(0, 10), docs.slice(10, 20), docs.slice(20, 30), docs.slice(30)];
  await Promise.all([
    ...batches.map((batch) =>
      inTx(ctx, async (ctx) => {
        for (const doc of batch) await indexEssay(ctx, doc);
      }),
    ),
    foldNewWords(ctx),
    refreshSearch(ctx),
    updateHeat(
      ctx,
      docs.map(({ id }) => ({ id, hot: 9 })),
    ),
  ]);
  await Promise.all([
    foldNewWords(ctx),
    foldNewWords(ctx),
    ...docs.map((doc) => indexEssay(ctx, doc)),
    ...docs.toReversed().map((doc) => updateHeat(ctx, [{ id: doc.id, hot: 7 }])),
    refreshSearch(ctx),
  ]);
  expect((await ask('翠鸟', { limit: 100 })).ids.toSorted()).toEqual(docs.map(({ id }) => id).toSorted());
});

describe('names', () => {
  test('are found by characters, pinyin and initials, from any part', async () => {
    const zhang = newId();
    const chen = newId();
    await indexName(ctx, { kind: 'user', id: zhang, name: '張三豐', weight: 1 });
    await indexName(ctx, { kind: 'user', id: chen, name: '重庆 Alice_W', weight: 5 });
    for (const keyword of [
      '张三丰',
      '張',
      '三丰',
      'zhangsanfeng',
      'zhangs',
      'ZSF',
      'sanfeng',
      ' zhang san ',
    ]) {
      expect(await findNames(ctx, 'user', keyword, 10), keyword).toEqual([zhang]);
    }
    for (const keyword of ['chongqing', 'cq', 'alice', '庆alice', 'alice_w']) {
      expect(await findNames(ctx, 'user', keyword, 10), keyword).toEqual([chen]);
    }
    for (const keyword of ['', '  ', '%', '_', '\u0000', 'lice', 'x'.repeat(10_000)]) {
      expect(await findNames(ctx, 'user', keyword, 10), keyword.slice(0, 9)).toEqual([]);
    }
    expect(await findNames(ctx, 'tag', 'zhang', 10)).toEqual([]);
  });

  test('that are the very word come first, then the heavier; a new name replaces the old one', async () => {
    const [exact, heavy, light] = [newId(), newId(), newId()];
    await indexName(ctx, { kind: 'tag', id: light, name: '缓存穿透', weight: 1 });
    await indexName(ctx, { kind: 'tag', id: heavy, name: '缓存雪崩', weight: 50 });
    await indexName(ctx, { kind: 'tag', id: exact, name: '缓存', weight: 0 });
    expect(await findNames(ctx, 'tag', 'huancun', 10)).toEqual([exact, heavy, light]);
    expect(await findNames(ctx, 'tag', '缓存', 2)).toEqual([exact, heavy]);
    await indexName(ctx, { kind: 'tag', id: heavy, name: '雪崩', weight: 0 });
    expect(await findNames(ctx, 'tag', '缓存', 10)).toEqual([exact, light]);
    expect(await findNames(ctx, 'tag', 'xb', 10)).toEqual([heavy]);
    await unindexName(ctx, 'tag', exact);
    expect(await findNames(ctx, 'tag', '缓存', 10)).toEqual([light]);
    await Promise.all(
      ['甲乙丙', '丙乙甲', '乙甲丙'].map((name) =>
        indexName(ctx, { kind: 'tag', id: light, name, weight: 1 }),
      ),
    );
  });

  test('titles and Latin words are suggested while someone types', async () => {
    await indexName(ctx, { kind: 'tag', id: newId(), name: '渲染管线', weight: 3 });
    await put({ title: '渲染一千个三角形', text: 'rendering rasterizer' });
    await foldNewWords(ctx);
    expect(await suggest(ctx, '渲染')).toEqual(['渲染管线', '渲染一千个三角形']);
    expect(await suggest(ctx, '渲')).toHaveLength(2);
    expect(await suggest(ctx, 'xuanran')).toEqual(['渲染管线']);
    expect(await suggest(ctx, 'xrgx')).toEqual(['渲染管线']);
    expect(await suggest(ctx, 'raster')).toEqual(['rasterizer']);
    expect(await suggest(ctx, '渲染', 1)).toEqual(['渲染管线']);
    for (const prefix of ['', ' ', '%', '\u0000', '\\']) expect(await suggest(ctx, prefix)).toEqual([]);
  });

  test('Latin words that no essay has any more are not suggested', async () => {
    const doc = essay({ text: 'quagga quahog' });
    await indexEssay(ctx, doc);
    await put({ text: 'quahog' });
    await foldNewWords(ctx);
    expect(await suggest(ctx, 'qua')).toEqual(['quahog', 'quagga']);
    await indexEssay(ctx, { ...doc, text: 'quasar' });
    await foldNewWords(ctx);
    expect(await suggest(ctx, 'qua')).toEqual(['quahog', 'quasar']);
    await unindexEssay(ctx, doc.id);
    expect(await suggest(ctx, 'qua')).toEqual(['quahog']);
  });
});

describe('an excerpt', () => {
  test('is taken where the words stand together, and marks them in the text as it was written', () => {
    const text = `${'前面说了许多别的。'.repeat(40)}數據庫的事務沒有鎖住。${'后面还有。'.repeat(40)}数据库。`;
    const { text: piece, marks } = excerpt(text, ['数据库', '事务'], 60);
    expect(piece).toContain('數據庫的事務');
    expect(piece.length).toBeLessThanOrEqual(60);
    expect(marks.map(([start, end]) => piece.slice(start, end))).toEqual(['數據庫', '事務']);
  });

  test('is the beginning when nothing is found; Latin words are marked whole', () => {
    expect(excerpt('开头的话，后面的话', ['没有'], 4)).toEqual({ text: '开头的话', marks: [] });
    expect(excerpt('', ['词'])).toEqual({ text: '', marks: [] });
    expect(excerpt('文本', [''])).toEqual({ text: '文本', marks: [] });
    const { text, marks } = excerpt('JavaScript 与 Java，ＪＡＶＡ', ['java']);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Java', 'ＪＡＶＡ']);
  });

  test('is the whole of what is short enough, and ends with the text', () => {
    const title = '一个很长很长的题目一直写到二十四个字以后才提到它真正要说的词那就是琥珀';
    expect(excerpt(title, ['琥珀'], title.length)).toEqual({
      text: title,
      marks: [[title.length - 2, title.length]],
    });
    expect(excerpt(`${'远'.repeat(100)}琥珀`, ['琥珀'], 40).text).toBe(`${'远'.repeat(38)}琥珀`);
  });

  test('joins what overlaps, and cuts no character in two', () => {
    expect(excerpt('语言模型', ['语言', '语言模型', '模型']).marks).toEqual([[0, 4]]);
    const cut = excerpt(`${'😀'.repeat(100)}词`, ['词'], 51).text;
    expect(cut.isWellFormed()).toBe(true);
    expect(excerpt('😀😀😀', [], 3).text.isWellFormed()).toBe(true);
  });
});

test('every job has its time', () => {
  expect(Object.keys(schedule).toSorted()).toEqual(Object.keys(jobs).toSorted());
});

test('a connection for searching prepares each statement once', async () => {
  const connection = await t.app.services.searches.connect();
  try {
    const db = createDb(connection);
    for (const number of [1, 2]) await db.execute(sql`select ${number}::int + 1 as sum`);
    const { rows } = await connection.query(
      "select name, generic_plans + custom_plans as runs from pg_prepared_statements where statement like '%+ 1 as sum%'",
    );
    expect(rows).toMatchObject([{ runs: 2 }]);
  } finally {
    connection.release();
  }
});
