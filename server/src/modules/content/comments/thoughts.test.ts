import { COMMENT_STATUS } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemCtx } from '../../../jobs.ts';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { highlightCalls, reviseEssay } from '../../../testing/highlights.ts';
import { insertPurchase } from '../essays/index.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let h: ReturnType<typeof highlightCalls>;
let author: TestUser;
let reader: TestUser;
let other: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  h = highlightCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
  await c.addSensitiveWord('可疑', 'hold');
  await c.addSensitiveWord('禁语', 'refuse');
});
afterAll(() => t.close());

const WORDS = '屏幕上只有一行日志';
const publish = () => publishEssay(t, author, { content: `夜里三点，告警响了。${WORDS}。\n\n往回读。\n` });

async function addThought(essayId: string, content: string, words = WORDS) {
  const { data: highlight } = await h.add(essayId, words, reader.token);
  const { data: comment } = await c.addComment(essayId, content, reader.token, { highlightId: highlight.id });
  return { highlight, comment };
}

const thoughtOf = async (id: string) =>
  (await h.list(reader.token, { pageSize: 100 })).data.list.find((each) => each.id === id);

test('a public thought is a comment with the words it is about, and counts as one', async () => {
  const essayId = await publish();
  const { highlight, comment } = await addThought(essayId, '我也见过这行日志');
  const { start, end } = highlight;
  expect(comment).toMatchObject({
    content: '我也见过这行日志',
    quote: { text: WORDS, locked: false, start, end },
  });
  expect(await thoughtOf(highlight.id)).toMatchObject({
    note: '我也见过这行日志',
    thought: { cmtId: comment.id, status: COMMENT_STATUS.visible },
  });
  expect((await c.list(essayId)).data.list[0]?.quote).toEqual({ text: WORDS, locked: false, start, end });
  expect(await c.cmtCount(essayId)).toBe(1);
  await h.anchor(essayId);
  expect((await h.marks(essayId)).data.passages).toMatchObject([{ readers: 0, thoughts: 1 }]);
  expect((await h.thoughts(essayId, start + 1, start + 2)).data.list).toMatchObject([{ id: comment.id }]);
  expect((await h.thoughts(essayId, 0, start)).data.list).toEqual([]);
  await expectCorrectCounters(t);
});

test('thoughts are private until they are published: nobody else gets the note', async () => {
  const essayId = await publish();
  const { data } = await h.add(essayId, WORDS, reader.token, { note: '只给自己看的话' });
  for (const token of [undefined, other.token, author.token]) {
    const answers = [
      await h.marks(essayId, token),
      await h.thoughts(essayId, data.start, data.end, token),
      await c.list(essayId, token),
      await t.call('GET core/essay/{id}', { id: essayId }, { token }),
    ];
    expect(JSON.stringify(answers.map((each) => each.data))).not.toContain('只给自己看的话');
  }
});

test('only own highlights of the same essay can be quoted', async () => {
  const [essayId, another] = [await publish(), await publish()];
  const { data: highlight } = await h.add(essayId, WORDS, reader.token);
  const attempts = [
    await c.addComment(essayId, '别人的划线', other.token, { highlightId: highlight.id }),
    await c.addComment(another, '别的文章', reader.token, { highlightId: highlight.id }),
    await c.addComment(essayId, '没有登录', undefined, { highlightId: highlight.id }),
  ];
  expect(attempts.map(({ errorCode }) => errorCode)).toEqual(['NOT_FOUND', 'INVALID', 'SIGN_IN_REQUIRED']);
  expect(await c.cmtCount(essayId)).toBe(0);
});

test('is screened and moderated like a comment', async () => {
  const essayId = await publish();
  const { data: highlight } = await h.add(essayId, WORDS, reader.token);
  const refused = await c.addComment(essayId, '含有禁语', reader.token, { highlightId: highlight.id });
  expect(refused.errorCode).toBe('WORDS_REFUSED');
  expect(await thoughtOf(highlight.id)).toMatchObject({ thought: null, note: '' });
  const { comment } = await addThought(essayId, '这很可疑');
  expect(await thoughtOf(highlight.id)).toMatchObject({ thought: { status: COMMENT_STATUS.held } });
  expect((await h.thoughts(essayId, 0, 100)).data.list).toEqual([]);
  const { data: queue } = await callAsAdmin(t, 'GET core/sys/comment/', {
    status: COMMENT_STATUS.held,
    essayId,
  });
  expect(queue.list).toMatchObject([{ id: comment.id, quote: WORDS, words: ['可疑'] }]);
  await callAsAdmin(t, 'PUT core/sys/comment/', { id: comment.id, status: COMMENT_STATUS.visible });
  expect(await thoughtOf(highlight.id)).toMatchObject({ thought: { status: COMMENT_STATUS.visible } });
  expect((await h.thoughts(essayId, 0, 100)).data.list).toHaveLength(1);
  const report = { kind: 'comment', targetId: comment.id, reason: 'abuse' } as const;
  expect((await t.call('POST core/user/report', report, { token: other.token })).success).toBe(true);
  const { data: reports } = await callAsAdmin(t, 'GET core/sys/report/', { kind: 'comment' });
  expect(reports.list).toMatchObject([{ targetId: comment.id, target: { title: '这很可疑' } }]);
  await c.reply(comment.id, '怎么说', other.token);
  const removal = { id: comment.id, status: COMMENT_STATUS.removed, reason: '不合适' };
  await callAsAdmin(t, 'PUT core/sys/comment/', removal);
  expect((await c.list(essayId)).data.list).toMatchObject([{ deleted: true, quote: null, replyCount: 1 }]);
  expect(await thoughtOf(highlight.id)).toMatchObject({
    note: '这很可疑',
    thought: { status: COMMENT_STATUS.removed },
  });
  expect((await h.thoughts(essayId, 0, 100)).data.list).toEqual([]);
  await expectCorrectCounters(t);
});

test('a deleted thought stays with its reader; a public one cannot be changed or removed as private', async () => {
  const essayId = await publish();
  const { highlight, comment } = await addThought(essayId, '先公开');
  expect((await h.update(highlight.id, { note: '改' }, reader.token)).errorCode).toBe('THOUGHT_IS_PUBLIC');
  expect((await h.update(highlight.id, { color: 'green' }, reader.token)).success).toBe(true);
  expect((await h.remove(highlight.id, reader.token)).errorCode).toBe('THOUGHT_IS_PUBLIC');
  await c.edit(comment.id, { content: '改一改' }, reader.token);
  expect(await thoughtOf(highlight.id)).toMatchObject({ note: '改一改' });
  await c.remove(comment.id, reader.token);
  expect(await thoughtOf(highlight.id)).toMatchObject({ note: '改一改', thought: null });
  expect((await h.remove(highlight.id, reader.token)).success).toBe(true);
  expect(await c.cmtCount(essayId)).toBe(0);
  await expectCorrectCounters(t);
});

test('the same passage can be quoted in several comments; the first is the thought', async () => {
  const essayId = await publish();
  const { highlight, comment } = await addThought(essayId, '第一次');
  const second = await c.addComment(essayId, '第二次', reader.token, { highlightId: highlight.id });
  expect(second.data.quote?.text).toBe(WORDS);
  expect(await thoughtOf(highlight.id)).toMatchObject({ note: '第一次', thought: { cmtId: comment.id } });
});

test('words of locked text never reach those who may not read it', async () => {
  const paragraphs = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} 段，说一件事情。`);
  const essayId = await publishEssay(t, author, {
    content: paragraphs.join('\n\n'),
    price: 500,
    previewPercent: 30,
  });
  const ctx = systemCtx(t.app.services);
  const purchase = { userId: reader.user.id, targetId: essayId, kind: 'essay', orderId: essayId } as const;
  await insertPurchase(ctx.db, { ...purchase, createdAt: new Date() });
  await addThought(essayId, '付费部分的想法', '第 18 段，说一件事情');
  await addThought(essayId, '试读部分的想法', '第 2 段，说一件事情');
  const quotes = async (token?: string) =>
    (await c.list(essayId, token)).data.list.map(({ quote }) => [quote?.text, quote?.locked]);
  const readable = [
    ['第 2 段，说一件事情', false],
    ['第 18 段，说一件事情', false],
  ];
  const limited = [
    ['第 2 段，说一件事情', false],
    [null, true],
  ];
  expect(await quotes(reader.token)).toEqual(readable);
  expect(await quotes(author.token)).toEqual(readable);
  for (const token of [undefined, other.token]) {
    expect(await quotes(token)).toEqual(limited);
    const { data } = await h.thoughts(essayId, 0, 1000, token);
    expect(data.list).toHaveLength(2);
    expect(JSON.stringify(data)).not.toContain('第 18 段');
  }
});

test('when an essay becomes paid, its quotes are hidden before their positions are known', async () => {
  const content = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} 段，说一件事情。`).join('\n\n');
  const essayId = await publishEssay(t, author, { content });
  await addThought(essayId, '想法', '第 2 段，说一件事情');
  await addThought(essayId, '想法', '第 18 段，说一件事情');
  await reviseEssay(t, author, essayId, { price: 500, previewPercent: 30 });
  const quotes = async () => (await c.list(essayId, other.token)).data.list.map(({ quote }) => quote?.text);
  await t.app.services.pool.query('update highlight_passages set is_stale = true where essay_id = $1', [
    essayId,
  ]);
  expect(await quotes()).toEqual([null, null]);
  await h.anchor(essayId);
  expect(await quotes()).toEqual([null, '第 2 段，说一件事情']);
});

test('words that the author took out of the text are not shown to others', async () => {
  const essayId = await publish();
  const { highlight } = await addThought(essayId, '想法还在');
  await reviseEssay(t, author, essayId, { content: '全部重新写过，与从前没有半点关系。' });
  await h.anchor(essayId);
  expect((await c.list(essayId)).data.list[0]).toMatchObject({
    content: '想法还在',
    quote: { text: null, locked: false },
  });
  expect(await thoughtOf(highlight.id)).toMatchObject({ quote: WORDS, state: 'orphaned' });
});

test('publishing a thought while its highlight is deleted has one winner', async () => {
  const essayId = await publish();
  const { token, user } = reader;
  const { data: highlight } = await h.add(essayId, WORDS, token);
  const { pool } = t.app.services;
  const waiting = async (count: number) => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length >= count;
  };
  const client = await pool.connect();
  try {
    // The comment refers to its writer, so its insertion waits for this row.
    await client.query('begin');
    await client.query('select from users where id = $1 for update', [user.id]);
    const publishing = c.addComment(essayId, '想法', token, { highlightId: highlight.id });
    await expect.poll(() => waiting(1)).toBe(true);
    let isRemoved = false;
    const removing = h.remove(highlight.id, token).finally(() => {
      isRemoved = true;
    });
    await expect.poll(async () => isRemoved || (await waiting(2))).toBe(true);
    await client.query('rollback');
    expect((await publishing).success).toBe(true);
    expect((await removing).errorCode).toBe('THOUGHT_IS_PUBLIC');
  } finally {
    client.release();
  }
  await expectCorrectCounters(t);
});
