import type { Page } from '@mozhan/contract/common.ts';
import type { EssayFields, EssayStatus } from '@mozhan/contract/essays.ts';
import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import { countMarkdown } from '@mozhan/contract/word-count.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import {
  categoryIds,
  createWriter,
  essayFields,
  publishEssay,
  type TestUser,
} from '../../../testing/essays.ts';
import { uploadFile } from '../../../testing/uploads.ts';
import { jobs } from './jobs.ts';

let t: TestApp;
let author: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  author = await createWriter(t);
  stranger = await createWriter(t, '别人');
});
afterAll(() => t.close());

const create = (fields: object, token = author.token) => t.call('POST core/essay/', fields, { token });
const save = (id: string, version: number, fields: object, token = author.token) =>
  t.call('PUT core/essay/', { id, version, ...fields }, { token });
const source = async (id: string, token = author.token) =>
  t.call('GET core/essay/{id}/source', { id }, { token });
const history = async (id: string, more: object = {}, token = author.token) =>
  t.call('GET core/essay/{id}/revision', { id, ...more }, { token });
const versions = async (id: string) => ((await history(id)).data as Page<RevisionSummary>).list;

test('saves a draft without any field', async () => {
  const { data } = await create({});
  expect((await source(data.id)).data).toMatchObject({
    title: '',
    content: '',
    categoryId: null,
    previewPercent: 30,
    allowComment: true,
    declaration: 'none',
    status: 0,
    version: 1,
  });
});

test('lets only writers create essays', async () => {
  const reader = await t.register();
  expect((await t.call('POST core/essay/', {})).status).toBe(401);
  expect((await create({}, reader.token)).status).toBe(403);
  expect((await t.call('POST core/essay/preview', { content: 'x' }, { token: reader.token })).status).toBe(
    403,
  );
});

test('returns all fields as they were saved', async () => {
  const { tech } = await categoryIds(t);
  const column = (await t.call('POST core/essay/column', { name: '一个专栏' }, { token: author.token })).data;
  const fields: EssayFields = {
    title: '标题里有 <b>尖括号</b> 和 "引号"',
    content: '# 正文\r\n\n  缩进和空行\n\n\n都留着 👩‍💻\n',
    categoryId: tech ?? '',
    summary: '摘要',
    tags: ['PostgreSQL', '队列'],
    cover: '',
    shareCover: '',
    price: 990,
    memberFree: true,
    previewPercent: 10,
    allowComment: false,
    declaration: 'ai-assisted',
    source: 'https://example.com/a?b=c',
    columnId: (column as { id: string }).id,
    attachments: [],
    scheduledAt: '2030-01-01T00:00:00.000Z',
  };
  const { data } = await create(fields);
  expect((await source(data.id)).data).toMatchObject(fields);
  // Changing one field keeps the others.
  await save(data.id, 1, { title: '另一个标题' });
  expect((await source(data.id)).data).toMatchObject({ ...fields, title: '另一个标题', version: 2 });
});

test.each([
  ['title', { title: '长'.repeat(101) }],
  ['title', { title: '两\n行' }],
  ['content', { content: '长'.repeat(200_001) }],
  ['summary', { summary: '长'.repeat(201) }],
  ['tags', { tags: ['一', '二', '三', '四', '五', '六'] }],
  ['tags.0', { tags: ['a,b'] }],
  ['price', { price: 99 }],
  ['price', { price: 100_001 }],
  ['price', { price: 1.5 }],
  ['previewPercent', { previewPercent: 91 }],
  ['declaration', { declaration: 'mine' }],
  ['source', { source: 'javascript:alert(1)' }],
  ['scheduledAt', { scheduledAt: 'tomorrow' }],
  ['categoryId', { categoryId: '0'.repeat(32) }],
  ['columnId', { columnId: '0'.repeat(32) }],
  ['cover', { cover: 'https://example.com/a.png' }],
  ['shareCover', { shareCover: '/files/ab/none.webp' }],
  ['attachments', { attachments: ['0'.repeat(32)] }],
])('rejects an invalid %s and saves nothing', async (field, wrong) => {
  const created = await create(wrong);
  expect(created.status).toBe(422);
  expect(Object.keys(created.fields ?? {})).toEqual([field]);
  const { data } = await create({ title: '原来' });
  expect((await save(data.id, 1, wrong)).status).toBe(422);
  expect((await source(data.id)).data).toMatchObject({ title: '原来', version: 1 });
});

test('counts an emoji as one character, and merges tags that differ only in case', async () => {
  expect((await create({ title: '👍'.repeat(100) })).success).toBe(true);
  const { data } = await create({ tags: ['Redis', ' redis ', 'ＲＥＤＩＳ', '缓存'] });
  expect((await source(data.id)).data.tags).toEqual(['Redis', '缓存']);
});

test('denies other users access to a draft', async () => {
  const { data } = await create({ title: '私密的草稿' });
  for (const token of [stranger.token, (await t.register()).token]) {
    expect((await source(data.id, token)).status).toBe(404);
    expect((await history(data.id, {}, token)).status).toBe(404);
  }
  expect((await save(data.id, 1, { title: '被改' }, stranger.token)).status).toBe(404);
  const restored = await t.call(
    'POST core/essay/{id}/revision/restore',
    { id: data.id, revision: 1 },
    { token: stranger.token },
  );
  expect(restored.status).toBe(404);
  const published = await publishEssay(t, author);
  expect((await source(published, stranger.token)).status).toBe(403);
  expect((await save(published, 1, { title: '被改' }, stranger.token)).status).toBe(403);
});

test('rejects a column or attachment of another user', async () => {
  const { data } = await t.call('POST core/essay/column', { name: '别人的' }, { token: stranger.token });
  const response = await create({ columnId: (data as { id: string }).id });
  expect(response.fields).toEqual({ columnId: '没有这个专栏' });
  const file = { name: 'a.txt', content: '别人的附件' };
  const uploaded = await uploadFile(t, 'core/minio/upload?kind=attachment', file, stranger.token);
  const attached = await create({ attachments: [uploaded.data.id] });
  expect(attached.status).toBe(422);
  expect(attached.fields).toEqual({ attachments: '有的附件不存在，请重新上传' });
});

test('rejects a save based on an old version, and accepts one of several concurrent saves', async () => {
  const { data } = await create({ content: '开始' });
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, i) => save(data.id, 1, { content: `第 ${i} 个` })),
  );
  const won = responses.flatMap(({ success }, i) => (success ? [i] : []));
  expect(won).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(7);
  expect((await source(data.id)).data).toMatchObject({ version: 2, content: `第 ${won[0]} 个` });
  expect((await save(data.id, 1, { content: '旧的' })).errorCode).toBe('STALE_VERSION');
});

test('never returns 404 when an autosave replaces the version during a save or read', async () => {
  const { data } = await create({ content: '开始' });
  let version = 1;
  for (let round = 0; round < 12; round++) {
    const saves = Array.from({ length: 6 }, (_, i) => save(data.id, version, { content: `${i}`, auto: 1 }));
    const reads = Array.from({ length: 6 }, () => source(data.id));
    const responses = await Promise.all(saves);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    version += 1;
  }
});

test('creates one essay for a repeated request', async () => {
  const [first, second] = await Promise.all([
    create({ title: '只有一篇', requestId: 'same' }),
    create({ title: '只有一篇', requestId: 'same' }),
  ]);
  expect(first.data.id).toBe(second.data.id);
});

describe('history', () => {
  test('creates a version for every save and merges autosaves that follow closely', async () => {
    const { data } = await create({ content: '一' });
    await save(data.id, 1, { content: '二' });
    await save(data.id, 2, { content: '三', auto: 1 });
    await save(data.id, 3, { content: '四', auto: 1 });
    expect((await versions(data.id)).map(({ revision, auto }) => [revision, auto])).toEqual([
      [4, true],
      [2, false],
      [1, false],
    ]);
    t.advance(11 * 60_000);
    await save(data.id, 4, { content: '五', auto: 1 });
    expect((await versions(data.id)).map(({ revision }) => revision)).toEqual([5, 4, 2, 1]);
    expect((await history(data.id, { revision: 4 })).data).toMatchObject({ content: '四', characters: 1 });
    expect((await history(data.id, { revision: 3 })).status).toBe(404);
  });

  test('shows the same word count in the editor, in lists, on the page and in the history', async () => {
    const content =
      '## 标题\n\n正文 2 句，见[文档](https://example.com/a)。$x$\n\n```ts\nconst a = 1;\n```\n\n![图](/a.png)\n';
    const { wordCount: words } = countMarkdown(content);
    expect(words).toBe(9);
    const own = async (id: string) =>
      (await t.call('GET core/essay/', { mine: 1 }, { token: author.token })).data.list.find(
        (essay) => essay.id === id,
      );
    const draft = (await create({ content: '旧' })).data.id;
    await save(draft, 1, { content });
    expect(await own(draft)).toMatchObject({ wordCount: words });
    expect((await versions(draft)).map(({ wordCount }) => wordCount)).toEqual([words, 1]);
    expect((await history(draft, { revision: 2 })).data).toMatchObject({ wordCount: words });
    const shelved = await publishEssay(t, author, { content });
    expect(await own(shelved)).toMatchObject({ wordCount: words });
    expect((await t.call('GET core/essay/{id}', { id: shelved })).data).toMatchObject({ wordCount: words });
  });

  test('a job counts the words of versions saved without a count', async () => {
    const { pool } = t.app.services;
    const content = '长 text\n'.repeat(3000);
    const id = await publishEssay(t, author, { content });
    const listWordCounts = async () => {
      const { rows } = await pool.query(
        `select e.word_count as card, e.read_minutes as minutes, r.word_count as version, x.word_count as text
         from essays e join essay_revisions r on r.essay_id = e.id
         join essay_texts x on x.essay_id = e.id and x.version = r.version where e.id = $1`,
        [id],
      );
      return rows;
    };
    const counted = { card: 6000, minutes: 15, version: 6000, text: 6000 };
    expect(await listWordCounts()).toEqual([counted]);
    await pool.query('update essays set word_count = 1, read_minutes = 1 where id = $1', [id]);
    await pool.query('update essay_texts set word_count = 1, read_minutes = 1 where essay_id = $1', [id]);
    await pool.query('update essay_revisions set word_count = null where essay_id = $1', [id]);
    expect((await versions(id)).map(({ wordCount }) => wordCount)).toEqual([content.length]);
    await jobs['count-words']?.(systemCtx(t.app.services), {});
    expect(await listWordCounts()).toEqual([counted]);
    expect((await versions(id)).map(({ wordCount }) => wordCount)).toEqual([6000]);
  });

  test('is paged', async () => {
    const { data } = await create({ content: '0' });
    for (let version = 1; version <= 5; version += 1)
      await save(data.id, version, { content: String(version) });
    const first = (await history(data.id, { pageSize: 4 })).data as Page<RevisionSummary>;
    expect(first).toMatchObject({ total: 6, list: { length: 4 } });
    const rest = (await history(data.id, { pageSize: 4, cursor: first.next })).data as Page<RevisionSummary>;
    expect(rest.list.map(({ revision }) => revision)).toEqual([2, 1]);
    expect(rest.next).toBeNull();
  });

  test('restores an old version as a new one', async () => {
    const { data } = await create({ title: '甲', content: '一', tags: ['旧'] });
    await save(data.id, 1, { title: '乙', content: '二', tags: [] });
    const restored = await t.call(
      'POST core/essay/{id}/revision/restore',
      { id: data.id, revision: 1 },
      { token: author.token },
    );
    expect(restored.data.version).toBe(3);
    expect((await source(data.id)).data).toMatchObject({
      title: '甲',
      content: '一',
      tags: ['旧'],
      version: 3,
    });
    expect(await versions(data.id)).toHaveLength(3);
  });

  test('marks the version on the shelf and never replaces it', async () => {
    const id = await publishEssay(t, author, { content: '审过的' });
    await save(id, 1, { content: '自动一', auto: 1 });
    await save(id, 2, { content: '自动二', auto: 1 });
    expect((await versions(id)).map(({ revision, shelved }) => [revision, shelved])).toEqual([
      [3, false],
      [1, true],
    ]);
  });

  test('never replaces an autosave that was rejected or is on the shelf', async () => {
    const admin = await t.signInAdmin();
    const setStatus = (id: string, status: EssayStatus, token = admin) =>
      t.call('PUT core/essay/status', { id, status, reason: '太短' }, { token });
    const { id } = (await create(await essayFields(t))).data;
    await save(id, 1, { content: '驳回的', auto: 1 });
    await setStatus(id, 1, author.token);
    await setStatus(id, 5);
    await save(id, 2, { content: '上架的', auto: 1 });
    await setStatus(id, 1, author.token);
    for (const status of [2, 3] as const) await setStatus(id, status);
    await save(id, 3, { content: '又写的', auto: 1 });
    expect((await versions(id)).map(({ revision, auto }) => [revision, auto])).toEqual([
      [4, true],
      [3, true],
      [2, true],
      [1, false],
    ]);
    expect((await history(id, { revision: 3 })).data).toMatchObject({ content: '上架的' });
  });
});

test('saves a draft whose column was removed, without a column', async () => {
  const column = await t.call('POST core/essay/column', { name: '要删的' }, { token: author.token });
  const columnId = (column.data as { id: string }).id;
  const { data } = await create({ title: '在专栏里', columnId });
  await t.call('DELETE core/essay/column', { id: columnId }, { token: author.token });
  expect((await save(data.id, 1, { title: '还在写', auto: 1 })).data.version).toBe(2);
  expect((await source(data.id)).data).toMatchObject({ title: '还在写', columnId: null });
});

test('rejects lone surrogates, times out of range and versions out of range', async () => {
  for (const wrong of [
    { title: 'a\ud800b' },
    { tags: ['a\ud800b'] },
    { content: '\udc00' },
    { scheduledAt: '0000-01-01T00:00:00Z' },
    { scheduledAt: '9999-12-31T23:59:59-14:00' },
  ])
    expect((await create(wrong)).status).toBe(422);
  const { data } = await create({});
  expect((await history(data.id, { revision: 99_999_999_999 })).status).toBe(422);
  const forged = (key: string[]) => Buffer.from(JSON.stringify([...key, data.id])).toString('base64url');
  for (const key of [['foo 1'], ['+275760-01-01T00:00:00.000Z'], ['99999999999'], ['zz']]) {
    const cursor = forged(key);
    for (const query of [{}, { mine: 1 }, { feed: 'hot' }, { tag: 'x' }, { columnId: data.id }])
      expect(
        (await t.call('GET core/essay/', { ...query, cursor }, { token: author.token })).status,
      ).toBeLessThan(500);
    expect((await history(data.id, { cursor })).status).toBeLessThan(500);
    const columns = await t.call('GET core/essay/column', { cursor }, { token: author.token });
    expect(columns.status).toBeLessThan(500);
  }
});

test('renders the preview like the saved page', async () => {
  const content = '## 标题\n\n**粗**与`码`\n\n<script>alert(1)</script>';
  const preview = await t.call('POST core/essay/preview', { content }, { token: author.token });
  const id = await publishEssay(t, author, { content });
  const saved = await t.call('GET core/essay/{id}', { id });
  expect(preview.data.html).toBe(saved.data.html);
  expect(preview.data.toc).toEqual(saved.data.toc);
  expect(preview.data.html).not.toContain('<script');
});

test('the preview has only the sections that are not known', async () => {
  const reader = await t.register();
  const preview = (body: object, token = author.token) =>
    t.call('POST core/essay/preview/sections', { content: '**粗**', ...body } as { content: string }, {
      token,
    });
  const { data } = await preview({});
  expect(data.sections).toEqual([{ id: expect.any(String), html: '<p><strong>粗</strong></p>' }]);
  const known = data.sections.map(({ id }) => id);
  expect((await preview({ known })).data.sections).toEqual([{ id: known[0], html: null }]);
  expect((await preview({ known: Array(2001).fill('x') })).status).toBe(422);
  expect((await preview({ known: ['x'.repeat(17)] })).status).toBe(422);
  expect((await preview({}, reader.token)).status).toBe(403);
  expect((await t.call('POST core/essay/preview/sections', { content: 'x' })).status).toBe(401);
});

test('rejects an essay with refused words, reports held words to the auditor and masks others', async () => {
  const admin = await t.signInAdmin();
  for (const [word, level] of [
    ['绝密配方', 'refuse'],
    ['可疑说法', 'hold'],
    ['粗口词', 'mask'],
  ])
    await t.call('POST core/sys/word/', { word, level }, { token: admin });
  const hand = async (fields: Partial<EssayFields>) =>
    create({ ...(await essayFields(t, fields)), status: 1 });
  const refused = await hand({ content: '这里有绝密配方。' });
  expect(refused).toMatchObject({ status: 422, errorCode: 'WORDS_REFUSED' });
  expect(refused.fields).toEqual({ content: '含有不能发布的词语：绝密配方' });
  expect((await hand({ title: '绝密配方' })).fields).toHaveProperty('title');
  expect((await hand({ tags: ['粗口词'] })).fields).toHaveProperty('tags');
  expect((await hand({ content: '代码里不算：`绝密配方`\n\n```\n绝密配方\n```' })).success).toBe(true);

  // Markup and character references do not hide a word.
  for (const content of [
    '绝<b>密配</b>方',
    '&#x7EDD;密配方',
    '绝<!-- -->密配方',
    '[绝](/home)密配方',
    '粗&#21475;词',
  ])
    expect((await hand({ content })).errorCode, content).toBe('WORDS_REFUSED');
  const column = await t.call('POST core/essay/column', { name: '绝密配方' }, { token: author.token });
  expect(column.fields).toHaveProperty('name');

  const { data } = await hand({ title: '说说粗口词', content: '一个可疑说法，一个粗口词。' });
  const queue = (await t.call('GET core/sys/essay/queue', { pageSize: 100 }, { token: admin })).data.list;
  expect(queue.find(({ id }) => id === data.id)?.words.sort()).toEqual(['可疑说法', '粗口词'].sort());
  for (const status of [2, 3] as const)
    await t.call('PUT core/essay/status', { id: data.id, status }, { token: admin });
  const published = (await t.call('GET core/essay/{id}', { id: data.id })).data;
  expect(published.title).toBe('说说＊＊＊');
  expect(published.html).toContain('一个可疑说法，一个＊＊＊');
  // The source keeps the original text.
  expect((await source(data.id)).data.title).toBe('说说粗口词');
});
