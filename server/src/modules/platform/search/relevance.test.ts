import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { mergeNewWords, refreshSearch } from './actions/refresh.ts';
import { indexEssay, type SearchDocument, searchEssays } from './index.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

interface Labelled extends SearchDocument {
  topic: string;
  fields: string[];
}

/** Templates for four essays per topic; each covers some of the topic's fields. */
const angles: { fields: string[]; titles: string[]; openings: string[]; endings: string[] }[] = [
  {
    fields: ['工作', '原因'],
    titles: ['从头说一遍{noun}', '{noun}是怎样一回事', '写给新同事的{noun}笔记'],
    openings: [
      '最近给组里的新人讲了一次{noun}，发现自己也有几处没有想明白，索性写下来。',
      '这一篇不谈框架，只谈{noun}本身：它要解决的问题，和它不解决的问题。',
      '先把概念摆正，再去看工具，会少走很多弯路。{noun}尤其如此。',
    ],
    endings: ['懂了这一层，手册里的那些参数就不再像咒语。', '下一篇再写怎样把它用到自己的项目里。'],
  },
  {
    fields: ['事故', '原因', '办法'],
    titles: ['{accident}：一次复盘', '复盘：{accident}', '{accident}的那个晚上'],
    openings: [
      '手机响的时候是夜里两点，值班群里只有一句话：{accident}。事后看，这是一个关于{noun}的老问题。',
      '{accident}，而那天我们什么也没有发布。追到最后，线索停在{noun}上。',
      '写复盘不是为了找谁的错。{accident}这件事，值得所有用到{noun}的人看一遍。',
    ],
    endings: [
      '好在没有人受伤，只是那天的早饭吃得很沉默。',
      '我们把这一段写进了值班手册，希望永远不要再翻到它。',
    ],
  },
  {
    fields: ['办法', '测量'],
    titles: ['{noun}：我们最后这样做', '把{noun}做对的几件小事', '{noun}实践与数字'],
    openings: [
      '讲道理的文章已经很多，这里只记我们在{noun}上实际做了什么，以及做完之后的数字。',
      '方案改过三版，留下来的这一版最不起眼。关于{noun}，要点如下。',
      '以下都在自己的环境里量过，你的数字多半不同，量的方法可以照搬。主题是{noun}。',
    ],
    endings: ['数字会过时，方法大概不会。', '如果你有更省事的做法，请在评论里告诉我。'],
  },
  {
    fields: ['比较', '工作'],
    titles: ['{noun}还是{rival}', '{rival}和{noun}，该选哪一个', '在{noun}与{rival}之间'],
    openings: [
      '经常有人问我，{noun}和{rival}到底选哪个。老实说，要看你手里的问题。',
      '两年前我会毫不犹豫地选{noun}，现在会先想一想{rival}。',
      '选型会开了三次，争的就是{noun}与{rival}。把双方的理由都记在这里。',
    ],
    endings: ['没有银弹，只有清楚自己要什么的人。', '选好以后，记得写下当初为什么这样选。'],
  },
];

const authors = ['陆知行', '沈亦舟', '许南乔', '顾闻', '周砚', '程野'];
const category = newId();

function writeEssays(): Labelled[] {
  return read('relevance-topics.txt')
    .split(/^# /m)
    .slice(1)
    .flatMap((block, number) => {
      const [head = '', ...lines] = block.trim().split('\n');
      const [noun = '', rival = '', tags = ''] = head.split(' / ');
      const sentencesByField = new Map(lines.map((line) => [line.slice(0, 2), line.slice(3)]));
      return angles.map(({ fields, titles, openings, endings }, angle): Labelled => {
        const fill = (list: string[]) =>
          (list[(number + angle) % list.length] ?? '')
            .replaceAll('{noun}', noun)
            .replaceAll('{rival}', rival)
            .replaceAll('{accident}', sentencesByField.get('事故') ?? '');
        const sentences = fields
          .filter((field) => field !== '事故')
          .map((field) => sentencesByField.get(field) ?? '');
        return {
          id: newId(),
          title: fill(titles),
          tags: tags.split(' '),
          author: authors[(number * 5 + angle) % authors.length] ?? '',
          categoryId: category,
          text: [fill(openings), ...sentences, fill(endings)].join('\n\n'),
          publishedAt: new Date(Date.UTC(2024, number % 24, 1 + angle)),
          hot: (number * 37 + angle * 11) % 300,
          topic: noun,
          fields,
        };
      });
    });
}

function readDemoEssays(): Labelled[] {
  const folder = join(import.meta.dirname, '../../admin/demo/texts');
  return readdirSync(folder).map((name) => {
    const [, head = '', text = ''] = readFileSync(join(folder, name), 'utf8').split(/^---$/m);
    const { title, tags } = parse(head) as { title: string; tags: string[] };
    return {
      id: newId(),
      title,
      tags,
      author: authors[0] ?? '',
      categoryId: category,
      text,
      publishedAt: new Date('2026-01-01T00:00:00Z'),
      hot: 50,
      topic: name.slice(0, 2),
      fields: [],
    };
  });
}

const essays = [...writeEssays(), ...readDemoEssays()];

interface Query {
  keyword: string;
  relevant: Set<string>;
}

const [exact = [], apart = [], other = []] = read('relevance-queries.txt')
  .split(/^# .*$/m)
  .slice(1)
  .map((block) => block.trim().split('\n').map(readQuery));

function readQuery(line: string): Query {
  const [keyword = '', topic = '', fields = ''] = line.split(' | ');
  const requestedFields = fields.split(' ').filter((field) => field !== '');
  const relevant = essays.filter(
    (essay) =>
      essay.topic === topic &&
      (requestedFields.length === 0 || requestedFields.some((field) => essay.fields.includes(field))),
  );
  if (relevant.length === 0) throw new Error(`no relevant essay for ${line}`);
  return { keyword, relevant: new Set(relevant.map((essay) => essay.id)) };
}

let t: TestApp;
let ctx: Ctx;
beforeAll(async () => {
  t = await startTestApp();
  ctx = systemCtx(t.app.services);
  await inTransaction(ctx, async (ctx) => {
    for (const essay of essays) await indexEssay(ctx, essay);
  });
  await mergeNewWords(ctx);
});
afterAll(() => t.close());

interface Quality {
  recall: number;
  reciprocalRank: number;
  worst: string[];
}

async function measureQuality(queries: Query[]): Promise<Quality> {
  let recall = 0;
  let reciprocalRank = 0;
  const worst: string[] = [];
  for (const { keyword, relevant } of queries) {
    const { ids } = await searchEssays(ctx, { keyword, offset: 0, limit: 10 });
    const found = ids.filter((id) => relevant.has(id)).length / relevant.size;
    const first = ids.findIndex((id) => relevant.has(id));
    recall += found / queries.length;
    reciprocalRank += (first < 0 ? 0 : 1 / (first + 1)) / queries.length;
    if (found < 1 || first !== 0) worst.push(`${keyword}: ${found.toFixed(2)}, first at ${first + 1}`);
  }
  return { recall, reciprocalRank, worst };
}

test('the test set is large enough', () => {
  expect(essays.length).toBeGreaterThanOrEqual(200);
  expect(exact.length + apart.length + other.length).toBeGreaterThanOrEqual(60);
  expect(new Set(essays.map((essay) => essay.title)).size).toBe(essays.length);
});

for (const [when, prepare] of [
  ['without word statistics', async () => {}],
  ['with word statistics', () => refreshSearch(ctx)],
] as const) {
  test(`finds relevant essays and ranks them first, ${when}`, async () => {
    await prepare();
    const [ofExact, ofApart, ofOther] = [
      await measureQuality(exact),
      await measureQuality(apart),
      await measureQuality(other),
    ];
    const queryCount = exact.length + apart.length + other.length;
    const reciprocalRank =
      (ofExact.reciprocalRank * exact.length +
        ofApart.reciprocalRank * apart.length +
        ofOther.reciprocalRank * other.length) /
      queryCount;
    expect(ofExact.recall, ofExact.worst.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(ofApart.recall, ofApart.worst.join('\n')).toBeGreaterThanOrEqual(0.85);
    expect(ofOther.recall, ofOther.worst.join('\n')).toBeGreaterThanOrEqual(0.85);
    expect(reciprocalRank).toBeGreaterThanOrEqual(0.8);
  });
}
