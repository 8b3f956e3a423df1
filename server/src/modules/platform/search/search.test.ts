import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { mergeNewWords, refreshSearch } from './actions/refresh.ts';
import {
  createExcerpt,
  findNames,
  indexEssay,
  indexName,
  type SearchDocument,
  searchEssays,
  suggestSearchTerms,
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
const essay = (fields: Partial<SearchDocument>): SearchDocument => ({
  id: newId(),
  title: '无题',
  tags: [],
  author: '佚名',
  authorId: category,
  column: null,
  isPaid: false,
  categoryId: category,
  text: '',
  publishedAt: new Date('2026-01-01T00:00:00Z'),
  hot: 0,
  ...fields,
});
async function put(fields: Partial<SearchDocument>): Promise<string> {
  const doc = essay(fields);
  await indexEssay(ctx, doc);
  return doc.id;
}
const searchFor = (keyword: string, more: { categoryId?: string; offset?: number; limit?: number } = {}) =>
  searchEssays(ctx, { keyword, offset: 0, limit: 20, ...more });
const searchIds = async (keyword: string): Promise<string[]> => (await searchFor(keyword)).ids;

describe('indexed essays', () => {
  test('are found by words of title, text, tags and author, in any order', async () => {
    const id = await put({
      title: '少了一分钱',
      text: '数据库的事务没有锁住那一行，于是对账不平。',
      tags: ['写偏斜'],
      author: '林砚秋',
    });
    for (const keyword of ['一分钱', '数据库事务', '事务 数据库', '对账', '写偏斜', '林砚秋']) {
      expect(await searchIds(keyword), keyword).toContain(id);
    }
    expect(await searchIds('量子纠缠')).toEqual([]);
  });

  test('are found by their current text, and not after removal', async () => {
    const doc = essay({ title: '阳台上的番茄' });
    await indexEssay(ctx, doc);
    expect(await searchIds('番茄')).toEqual([doc.id]);
    await indexEssay(ctx, { ...doc, title: '阳台上的黄瓜' });
    expect(await searchIds('番茄')).toEqual([]);
    expect(await searchIds('黄瓜')).toEqual([doc.id]);
    await unindexEssay(ctx, doc.id);
    expect(await searchIds('黄瓜')).toEqual([]);
    await unindexEssay(ctx, doc.id);
  });

  test('are not indexed if the transaction fails', async () => {
    const doc = essay({ title: '没有写成的鹦鹉螺' });
    await expect(
      inTransaction(ctx, async (ctx) => {
        await indexEssay(ctx, doc);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await searchIds('鹦鹉螺')).toEqual([]);
  });

  test('are found across traditional and simplified characters', async () => {
    const traditional = await put({ title: '資料庫與併發控制', text: '鎖與樂觀鎖。' });
    const simplified = await put({ title: '编译器前端的词法分析' });
    expect(await searchIds('资料库 并发控制')).toContain(traditional);
    expect(await searchIds('編譯器')).toContain(simplified);
    expect(await searchIds('ＡＢＣ編譯器　')).toContain(simplified);
  });

  test('are found by names such as C++ or Node.js and their parts', async () => {
    const cpp = await put({ title: '给 C++ 写一个解析库' });
    const sharp = await put({ title: 'C# 里的异步' });
    const net = await put({ title: '把 .NET 服务搬进容器' });
    const node = await put({ title: 'Node.js 的事件循环' });
    const gpt = await put({ title: '用 GPT-4o 读图' });
    const k8s = await put({ title: 'K8s 升级记' });
    expect(await searchIds('c++')).toEqual([cpp]);
    expect(await searchIds('C#')).toEqual([sharp]);
    expect(await searchIds('.net')).toEqual([net]);
    for (const keyword of ['node.js', 'NodeJS', 'node', 'Node.js 事件循环']) {
      expect(await searchIds(keyword), keyword).toEqual([node]);
    }
    for (const keyword of ['gpt-4o', 'gpt4o', 'GPT'])
      expect(await searchIds(keyword), keyword).toEqual([gpt]);
    expect(await searchIds('k8s')).toEqual([k8s]);
  });

  test('are found by words that are not in the dictionary', async () => {
    const id = await put({ title: '忒修斯之船', text: '犇羴鱻三个字怎么念。' });
    expect(await searchIds('忒修斯')).toEqual([id]);
    expect(await searchIds('犇羴鱻')).toEqual([id]);
  });

  test('rank higher with the word in the title or with more reads', async () => {
    const filler = '晚饭以后我们沿着河走了很远，谈到许多旧事。'.repeat(10);
    const inText = await put({ title: '散步', text: `${filler}路过一座天文馆。` });
    const inTitle = await put({ title: '天文馆的一天', text: filler });
    expect(await searchIds('天文馆')).toEqual([inTitle, inText]);
    const quiet = await put({ title: '水母的灯', text: filler });
    const read = await put({ title: '水母的灯', text: filler, hot: 0 });
    await updateHeat(ctx, [
      { id: read, hot: 5000 },
      { id: newId(), hot: 3 },
    ]);
    expect(await searchIds('水母')).toEqual([read, quiet]);
    await updateHeat(ctx, [{ id: quiet, hot: 100_000 }]);
    expect(await searchIds('水母')).toEqual([quiet, read]);
    await updateHeat(ctx, []);
  });

  test('may have 200 000 characters', async () => {
    const words = ['溪流', '山谷', '书桌', '台灯', '窗外', '雨声', 'letter', '咖啡'];
    const text = Array.from({ length: 70_000 }, (_, index) => words[(index * 7) % words.length]).join('，');
    const id = await put({ title: '很长的一篇', text: text.slice(0, 200_000) });
    expect(await searchIds('溪流 台灯')).toContain(id);
  });
});

describe('a query', () => {
  test('without full matches returns partial matches', async () => {
    const id = await put({ title: '为什么索引没有生效', text: '优化器算错了行数。' });
    expect(await searchIds('索引失效')).toContain(id);
    expect(await searchIds('如何让索引生效的玫瑰花园')).toContain(id);
    expect(await searchFor('索引生效的玫瑰花园')).toMatchObject({ isPartial: true });
    expect(await searchFor('索引生效')).toMatchObject({ isPartial: false });
    expect(await searchFor('玫瑰花园')).toMatchObject({ ids: [], isPartial: false });
  });

  test('for a compound also finds essays with its separate parts, ranked lower', async () => {
    const whole = await Promise.all(
      [...'子丑寅卯辰巳午未申酉戌亥'].map((mark) => put({ title: `消息队列笔记之${mark}` })),
    );
    const apart = await put({ title: '先到先得', text: '消息一条一条排成队列，等着被取走。', hot: 100_000 });
    const one = await put({ title: '别的事', text: '只收到一条消息。' });
    const result = await searchFor('消息队列');
    expect(result.ids.slice(0, 12).toSorted()).toEqual(whole.toSorted());
    expect(result.ids.slice(12)).toEqual([apart]);
    expect(result).toMatchObject({ total: 13, isPartial: false });
    expect(result.ids).not.toContain(one);
  });

  test('can be limited to a category', async () => {
    const other = newId();
    const here = await put({ title: '蒲公英手记' });
    const there = await put({ title: '蒲公英手记', categoryId: other });
    expect((await searchFor('蒲公英')).ids.toSorted()).toEqual([here, there].toSorted());
    expect(await searchFor('蒲公英', { categoryId: other })).toMatchObject({ ids: [there], total: 1 });
    expect((await searchFor('蒲公英', { categoryId: newId() })).ids).toEqual([]);
  });

  test('without searchable words has no results', async () => {
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
      expect(await searchFor(keyword), keyword.slice(0, 20)).toMatchObject({
        ids: [],
        total: 0,
        corrected: null,
      });
    }
    const id = await put({ title: '控制字符也无妨的浑天仪' });
    expect(await searchIds('浑天仪\u0000')).toEqual([id]);
  });

  test('of one character searches titles and tags', async () => {
    const id = await put({ title: '论鲸', text: '海里的事。' });
    const text = await put({ title: '别的', text: '也提到了鲸。' });
    expect(await searchIds('鲸')).toEqual([id]);
    expect(await searchIds('鲸')).not.toContain(text);
  });

  test('with a mistyped Latin word is corrected', async () => {
    const id = await put({ title: 'PostgreSQL 与 Kubernetes', text: 'the replication slot of postgresql' });
    const typed = await put({ title: 'postgersql 这样写的一篇' });
    await mergeNewWords(ctx);
    for (const [keyword, meant] of [
      ['kubernetse', 'kubernetes'],
      ['kubenetes', 'kubernetes'],
      ['kubbernetes', 'kubernetes'],
      ['postgrasql', 'postgresql'],
      ['repication 槽', 'replication 槽'],
    ]) {
      const result = await searchFor(keyword ?? '');
      expect(result, keyword).toMatchObject({ corrected: meant });
      expect(result.ids, keyword).toContain(id);
    }
    // A word that an essay contains is not corrected.
    expect(await searchFor('postgersql')).toMatchObject({ ids: [typed], corrected: null });
    expect(await searchFor('zzzzqqqq')).toMatchObject({ ids: [], total: 0, corrected: null });
  });

  test('with a missing letter in a Latin word is corrected', async () => {
    const linux = await put({ title: 'Linux 的平均负载' });
    const lisp = await put({ title: '一百行的 Lisp' });
    const pratt = await put({ title: 'Pratt 解析' });
    const deno = await put({ title: 'Deno.js 的权限' });
    // More frequent words at the same distance.
    for (let times = 0; times < 5; times++) await put({ title: '行与部分', text: 'line part list' });
    await mergeNewWords(ctx);
    for (const [keyword, meant, id] of [
      ['linx', 'linux', linux],
      ['lsp', 'lisp', lisp],
      ['prat', 'pratt', pratt],
      ['den.js', 'deno.js', deno],
    ] as const) {
      const result = await searchFor(keyword);
      expect(result, keyword).toMatchObject({ corrected: meant });
      expect(result.ids[0], keyword).toBe(id);
    }
    // A short word that essays contain is not corrected; a word of removed essays only is.
    expect(await searchFor('js 玳瑁')).toMatchObject({ corrected: null });
    const removed = essay({ title: 'prattt 写错的一篇' });
    await indexEssay(ctx, removed);
    await mergeNewWords(ctx);
    await unindexEssay(ctx, removed.id);
    expect(await searchFor('prattt')).toMatchObject({ corrected: 'pratt', ids: [pratt] });
    expect(await searchFor('pratttt')).toMatchObject({ corrected: null, ids: [] });
  });

  test('returns the terms to highlight', async () => {
    await put({ title: '量身定做的瓷器', text: '景德镇的瓷器。' });
    expect((await searchFor('瓷器')).terms).toEqual(['瓷器']);
  });
});

test('pages do not overlap and end after a thousand results', async () => {
  const indexed = [
    await put({ title: '信天翁', text: '风大' }),
    await put({ title: '信天翁', text: '风小' }),
  ];
  // Copies, because indexing a thousand essays takes long.
  await t.app.services.pool.query(
    `insert into search_essays (id, title, folded_title, fresh, stat, tokens, impacts)
     select gen_random_uuid(), title, folded_title, fresh, stat + number / 1000.0, tokens, impacts
     from search_essays, generate_series(1, 549) as number where id = any ($1)`,
    [indexed],
  );
  const seen: string[] = [];
  for (let offset = 0; offset < 1100; offset += 70) {
    const page = await searchFor('信天翁', { offset, limit: 70 });
    expect(page.total).toBe(1001);
    seen.push(...page.ids);
  }
  expect(seen).toHaveLength(1000);
  expect(new Set(seen).size).toBe(1000);
  expect((await searchFor('信天翁 风大', { limit: 5 })).total).toBe(550);
});

test('concurrent indexing of the same words does not deadlock', async () => {
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
      inTransaction(ctx, async (ctx) => {
        for (const doc of batch) await indexEssay(ctx, doc);
      }),
    ),
    mergeNewWords(ctx),
    refreshSearch(ctx),
    updateHeat(
      ctx,
      docs.map(({ id }) => ({ id, hot: 9 })),
    ),
  ]);
  await Promise.all([
    mergeNewWords(ctx),
    mergeNewWords(ctx),
    ...docs.map((doc) => indexEssay(ctx, doc)),
    ...docs.toReversed().map((doc) => updateHeat(ctx, [{ id: doc.id, hot: 7 }])),
    refreshSearch(ctx),
  ]);
  expect((await searchFor('翠鸟', { limit: 100 })).ids.toSorted()).toEqual(
    docs.map(({ id }) => id).toSorted(),
  );
});

describe('name search', () => {
  test('finds names by characters, pinyin and initials of any part', async () => {
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

  test('orders exact names first, then by weight; a new name replaces the old one', async () => {
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

  test('suggests tags, titles and Latin words', async () => {
    await indexName(ctx, { kind: 'tag', id: newId(), name: '渲染管线', weight: 3 });
    await put({ title: '渲染一千个三角形', text: 'rendering rasterizer' });
    await mergeNewWords(ctx);
    expect(await suggestSearchTerms(ctx, '渲染')).toEqual(['渲染管线', '渲染一千个三角形']);
    expect(await suggestSearchTerms(ctx, '渲')).toHaveLength(2);
    expect(await suggestSearchTerms(ctx, 'xuanran')).toEqual(['渲染管线']);
    expect(await suggestSearchTerms(ctx, 'xrgx')).toEqual(['渲染管线']);
    expect(await suggestSearchTerms(ctx, 'raster')).toEqual(['rasterizer']);
    expect(await suggestSearchTerms(ctx, 'Rasterizer ')).toEqual([]);
    expect(await suggestSearchTerms(ctx, '渲染管线')).toEqual([]);
    expect(await suggestSearchTerms(ctx, '渲染', 1)).toEqual(['渲染管线']);
    for (const prefix of ['', ' ', '%', '\u0000', '\\'])
      expect(await suggestSearchTerms(ctx, prefix)).toEqual([]);
  });

  test('does not suggest Latin words that no essay contains any more', async () => {
    const doc = essay({ text: 'quagga quahog' });
    await indexEssay(ctx, doc);
    await put({ text: 'quahog' });
    await mergeNewWords(ctx);
    expect(await suggestSearchTerms(ctx, 'qua')).toEqual(['quahog', 'quagga']);
    await indexEssay(ctx, { ...doc, text: 'quasar' });
    await mergeNewWords(ctx);
    expect(await suggestSearchTerms(ctx, 'qua')).toEqual(['quahog', 'quasar']);
    await unindexEssay(ctx, doc.id);
    expect(await suggestSearchTerms(ctx, 'qua')).toEqual(['quahog']);
  });
});

describe('excerpt', () => {
  test('selects the passage with the most terms and marks them in the original text', () => {
    const text = `${'前面说了许多别的。'.repeat(40)}數據庫的事務沒有鎖住。${'后面还有。'.repeat(40)}数据库。`;
    const { text: piece, marks } = createExcerpt(text, ['数据库', '事务'], 60);
    expect(piece).toContain('數據庫的事務');
    expect(piece.length).toBeLessThanOrEqual(60);
    expect(marks.map(([start, end]) => piece.slice(start, end))).toEqual(['數據庫', '事務']);
  });

  test('falls back to the beginning, and marks complete Latin words only', () => {
    expect(createExcerpt('开头的话，后面的话', ['没有'], 4)).toEqual({ text: '开头的话', marks: [] });
    expect(createExcerpt('', ['词'])).toEqual({ text: '', marks: [] });
    expect(createExcerpt('文本', [''])).toEqual({ text: '文本', marks: [] });
    const { text, marks } = createExcerpt('JavaScript 与 Java，ＪＡＶＡ', ['java']);
    expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(['Java', 'ＪＡＶＡ']);
  });

  test('returns a short text completely, and uses the full length at the end of the text', () => {
    const title = '一个很长很长的题目一直写到二十四个字以后才提到它真正要说的词那就是琥珀';
    expect(createExcerpt(title, ['琥珀'], title.length)).toEqual({
      text: title,
      marks: [[title.length - 2, title.length]],
    });
    expect(createExcerpt(`${'远'.repeat(100)}琥珀`, ['琥珀'], 40).text).toBe(`${'远'.repeat(38)}琥珀`);
  });

  test('merges overlapping marks and does not split surrogate pairs', () => {
    expect(createExcerpt('语言模型', ['语言', '语言模型', '模型']).marks).toEqual([[0, 4]]);
    const cut = createExcerpt(`${'😀'.repeat(100)}词`, ['词'], 51).text;
    expect(cut.isWellFormed()).toBe(true);
    expect(createExcerpt('😀😀😀', [], 3).text.isWellFormed()).toBe(true);
  });
});

test('every job has a schedule', () => {
  expect(Object.keys(schedule).toSorted()).toEqual(Object.keys(jobs).toSorted());
});

test('a search connection prepares each statement once', async () => {
  const connection = await t.app.services.searchPool.connect();
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
