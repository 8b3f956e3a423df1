import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Ctx, inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { mergeNewWords } from './actions/refresh.ts';
import { indexEssay, indexName, type SearchDocument, searchEssays, toSearchCtx } from './index.ts';
import { loadDictionary, segment } from './rules/segment.ts';

/*
 * Labelled queries on three kinds of essays: four per topic of `relevance/topics.txt`, those of the demo, and essays of
 * random words that occur in the others, which make the search harder.
 */

const folder = join(import.meta.dirname, 'relevance');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Labelled extends SearchDocument {
  /** The topic, or the number of a demo essay. */
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
const demoAuthors: Record<string, string> = { linyan: '林砚', zhoumu: '周牧', suhe: '苏禾', chenduo: '陈铎' };
const RANDOM_ESSAYS = 500;
const RANDOM_WORDS = 160;
const category = newId();
/** The same id for the same name. */
const ids = new Map<string, string>();
function idOf(name: string): string {
  const id = ids.get(name) ?? newId();
  ids.set(name, id);
  return id;
}

const common = { categoryId: category, column: null, isPaid: false, fields: [] };

function writeTopicEssays(): Labelled[] {
  return read('topics.txt')
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
        const author = authors[(number * 5 + angle) % authors.length] ?? '';
        return {
          ...common,
          id: newId(),
          title: fill(titles),
          tags: tags.split(' '),
          author,
          authorId: idOf(author),
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
  const texts = join(import.meta.dirname, '../../admin/demo/texts');
  return readdirSync(texts)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const [, head = '', text = ''] = readFileSync(join(texts, name), 'utf8').split(/^---$/m);
      const { title, tags, author, column } = parse(head) as {
        title: string;
        tags: string[];
        author: string;
        column?: string;
      };
      const displayName = demoAuthors[author] ?? '';
      return {
        ...common,
        id: newId(),
        title,
        tags,
        author: displayName,
        authorId: idOf(displayName),
        column: column === undefined ? null : { id: idOf(column), name: column },
        text,
        publishedAt: new Date('2026-01-01T00:00:00Z'),
        hot: 50,
        topic: name.slice(0, 2),
      };
    });
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Consist of the words of two characters that the others contain, as often as they do. */
async function writeRandomEssays(others: Labelled[]): Promise<Labelled[]> {
  const dictionary = await loadDictionary();
  const words = others
    .flatMap(({ text }) => text.match(/[\u4e00-\u9fff]+/g) ?? [])
    .flatMap((run) => {
      const { bounds } = segment(dictionary, run);
      return bounds.slice(0, -1).map((begin, index) => run.slice(begin, bounds[index + 1]));
    })
    .filter((word) => word.length === 2);
  const random = createRandom(20_261_117);
  const pick = () => words[Math.floor(random() * words.length)] ?? '';
  return Array.from({ length: RANDOM_ESSAYS }, (_, number) => ({
    ...common,
    id: newId(),
    title: `${pick()}、${pick()}与${pick()}`,
    tags: ['随机'],
    author: '佚名',
    authorId: idOf('佚名'),
    text: Array.from({ length: RANDOM_WORDS }, pick).join('，'),
    publishedAt: new Date(Date.UTC(2025, number % 12, 1)),
    hot: number % 300,
    topic: 'random',
  }));
}

const texts = [...writeTopicEssays(), ...readDemoEssays()];

/** Indexes all essays and the names of their authors, tags and columns. */
export async function fillIndex(ctx: Ctx): Promise<number> {
  const all = [...texts, ...(await writeRandomEssays(texts))];
  for (let at = 0; at < all.length; at += 100)
    await inTransaction(ctx, async (ctx) => {
      for (const essay of all.slice(at, at + 100)) await indexEssay(ctx, essay);
    });
  const names: { kind: 'user' | 'tag' | 'column'; name: string }[] = texts.flatMap(
    ({ author, tags, column }) => [
      { kind: 'user', name: author },
      ...tags.map((name) => ({ kind: 'tag' as const, name })),
      ...(column === null ? [] : [{ kind: 'column' as const, name: column.name }]),
    ],
  );
  await inTransaction(ctx, async (ctx) => {
    for (const { kind, name } of new Map(names.map((each) => [`${each.kind} ${each.name}`, each])).values())
      await indexName(ctx, { kind, id: idOf(name), name, weight: 1 });
  });
  await mergeNewWords(ctx);
  await ctx.services.searchPool.query('analyze');
  return all.length;
}

interface Query {
  keyword: string;
  relevant: Set<string>;
}

/** A query, then a topic with the fields that answer it, or the author, tag or column that it names. */
function readQuery(line: string): Query {
  const [keyword = '', target = '', fields = ''] = line.split(' | ');
  const [kind = '', name = ''] = target.split(':');
  const requestedFields = fields.split(' ').filter((field) => field !== '');
  const isRelevant = (essay: Labelled): boolean => {
    if (kind === 'author') return essay.author === name;
    if (kind === 'column') return essay.column?.name === name;
    if (kind === 'tag') return essay.tags.includes(name);
    return (
      essay.topic === target &&
      (requestedFields.length === 0 || requestedFields.some((field) => essay.fields.includes(field)))
    );
  };
  const relevant = texts.filter(isRelevant);
  if (relevant.length === 0) throw new Error(`no relevant essay for ${line}`);
  return { keyword, relevant: new Set(relevant.map((essay) => essay.id)) };
}

export const readQueries = (name: 'tuning.txt' | 'held-out.txt'): Map<string, Query[]> =>
  new Map(
    read(name)
      .split(/^# /m)
      .slice(1)
      .map((block) => {
        const [kind = '', ...lines] = block.trim().split('\n');
        return [kind, lines.filter((line) => line !== '').map(readQuery)];
      }),
  );

export interface Quality {
  queries: number;
  recall: number;
  reciprocalRank: number;
  /** The queries that do not find everything, or not first. */
  worst: string[];
}

const TOP = 10;

export async function measureQuality(ctx: Ctx, queries: Query[]): Promise<Quality> {
  let recall = 0;
  let reciprocalRank = 0;
  const worst: string[] = [];
  const searchCtx = toSearchCtx(ctx);
  for (const { keyword, relevant } of queries) {
    const { ids, corrected } = await searchEssays(searchCtx, { keyword, offset: 0, limit: TOP });
    const found = ids.filter((id) => relevant.has(id)).length / Math.min(relevant.size, TOP);
    const first = ids.findIndex((id) => relevant.has(id));
    recall += found;
    reciprocalRank += first < 0 ? 0 : 1 / (first + 1);
    if (found < 1 || first !== 0)
      worst.push(
        `${keyword}: ${found.toFixed(2)}, first at ${first + 1}${corrected === null ? '' : `, as ${corrected}`}`,
      );
  }
  const { length } = queries;
  return { queries: length, recall: recall / length, reciprocalRank: reciprocalRank / length, worst };
}

export const minRecall: Record<string, number> = {
  exact: 0.95,
  split: 0.95,
  mixed: 0.9,
  typo: 0.9,
  traditional: 0.9,
  pinyin: 0.9,
  name: 0.9,
};
const MIN_RECIPROCAL_RANK = 0.85;

/** The kinds of queries that find too little, or not first, with the queries in question. */
export async function listShortfalls(ctx: Ctx, queries: Map<string, Query[]>): Promise<string[]> {
  const shortfalls: string[] = [];
  for (const [kind, list] of queries) {
    const { recall, reciprocalRank, worst } = await measureQuality(ctx, list);
    if (recall < (minRecall[kind] ?? 1) || reciprocalRank < MIN_RECIPROCAL_RANK)
      shortfalls.push(`${kind}: recall ${recall}, reciprocal rank ${reciprocalRank}\n${worst.join('\n')}`);
  }
  return shortfalls;
}
