import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, contentsOf, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff, createStaffWithRole, type StaffUser } from '../../../testing/staff.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let author: TestUser;
let reader: TestUser;
let other: TestUser;
let staff: StaffUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
  staff = await createStaff(t, ['comment:list', 'comment:update']);
  essayId = await publishEssay(t, author, { title: '论评论' });
  await c.addSensitiveWord('赌博', 'refuse');
  await c.addSensitiveWord('加群', 'hold');
  await c.addSensitiveWord('笨蛋', 'mask');
});
afterAll(() => t.close());

const queue = async (query: object = {}) =>
  (await t.call('GET core/sys/comment/', query, { token: staff.token })).data;
const kinds = async (token: string) => (await c.notices(token)).map((each) => each.kind);

test('rejects refused words in any notation and names them', async () => {
  for (const content of ['来赌博吧', '来赌&#x535A;吧', '来赌**博**吧']) {
    const response = await c.addComment(essayId, content, reader.token);
    expect(response).toMatchObject({ status: 422, errorCode: 'WORDS_REFUSED' });
    expect(response.errorMessage).toContain('赌博');
    expect(response.fields?.content).toContain('赌博');
  }
  const { data: comment } = await c.addComment(essayId, '正经话', reader.token);
  expect((await c.edit(comment.id, { content: '赌博' }, reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect((await c.reply(comment.id, '赌博', reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect(contentsOf((await c.list(essayId)).data.list)).toEqual(['正经话']);
  await c.remove(comment.id, reader.token);
});

test('masks words for others, while the writer edits the original text', async () => {
  const { data: comment } = await c.addComment(essayId, '你这个笨蛋', reader.token);
  expect(comment).toMatchObject({ content: '你这个笨蛋', html: '<p>你这个＊＊</p>', held: false });
  expect((await c.list(essayId)).data.list[0]).toMatchObject({
    content: '你这个＊＊',
    html: '<p>你这个＊＊</p>',
  });
  await c.edit(comment.id, { content: '你这个聪明人' }, reader.token);
  expect((await c.list(essayId)).data.list[0]?.content).toBe('你这个聪明人');
  await c.remove(comment.id, reader.token);
});

test('does not screen code, and masks words in the preview', async () => {
  const content = '看 `加群 赌博`，笨蛋：\n\n```\n笨蛋 = 赌博\n```';
  const html = /<code>加群 赌博<\/code>，＊＊：<\/p>\s*<pre tabindex="0"><code>笨蛋 = 赌博\s*<\/code>/;
  const { data: comment } = await c.addComment(essayId, content, reader.token);
  expect(comment).toMatchObject({ held: false, html: expect.stringMatching(html) });
  const preview = (content: string) =>
    t.call('POST core/essay/cmt/preview', { content }, { token: reader.token });
  expect((await preview(content)).data.html).toBe(comment.html);
  // This is code in an essay but not in a comment.
  expect((await preview('说\n\n    笨蛋')).data.html).toContain('＊＊');
  expect((await c.addComment(essayId, '`x` 来赌博', reader.token)).errorCode).toBe('WORDS_REFUSED');
  await c.remove(comment.id, reader.token);
});

test('shows a held comment to its writer only, until staff approve it', async () => {
  const { data: comment } = await c.addComment(essayId, '快加群', reader.token);
  expect(comment).toMatchObject({ held: true, content: '快加群' });
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });
  expect((await c.list(essayId, author.token)).data.list).toEqual([]);
  expect((await c.list(essayId, reader.token)).data.list).toMatchObject([{ held: true, content: '快加群' }]);
  expect(await c.cmtCount(essayId)).toBe(0);
  expect(await kinds(author.token)).toEqual([]);
  for (const response of [
    await c.like(comment.id, other.token),
    await c.reply(comment.id, '好', other.token),
    await c.edit(comment.id, { pinned: true }, author.token),
  ])
    expect(response.errorCode).toBe('GONE');
  expect((await c.edit(comment.id, { content: '我的' }, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.remove(comment.id, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.replies(comment.id, other.token)).errorCode).toBe('NOT_FOUND');

  const waiting = await queue({ status: 1 });
  expect(waiting).toMatchObject({
    total: 1,
    list: [{ id: comment.id, essay: { id: essayId, title: '论评论' }, status: 1, words: ['加群'] }],
  });
  expect((await c.moderate(comment.id, 0, staff.token)).data).toMatchObject({ status: 0 });
  expect((await c.moderate(comment.id, 0, staff.token)).data).toMatchObject({ status: 0 });
  expect((await c.list(essayId)).data).toMatchObject({ total: 1, list: [{ held: false }] });
  expect(await c.cmtCount(essayId)).toBe(1);
  expect(await kinds(author.token)).toEqual(['comment']);
  const { data: notices } = await t.call('GET core/user/notice', { kind: 'system' }, { token: reader.token });
  expect(notices.list[0]).toMatchObject({
    text: '你在《论评论》下的评论通过了审核，大家都能看到了',
    target: { url: `/essay/detail/${essayId}.html#cmt-${comment.id}` },
  });

  const { data: reply } = await c.reply(comment.id, '加群吧', other.token);
  expect(reply.held).toBe(true);
  expect((await c.list(essayId, other.token)).data.list[0]).toMatchObject({
    replyCount: 0,
    replies: [{ held: true }],
  });
  expect((await c.replies(comment.id, reader.token)).data).toMatchObject({ list: [], total: 0 });
  expect(await kinds(reader.token)).toEqual([]);
  await c.moderate(reply.id, 0, staff.token);
  expect((await c.replies(comment.id)).data).toMatchObject({ total: 1, list: [{ content: '加群吧' }] });
  expect(await kinds(reader.token)).toEqual(['reply']);
  expect(await c.cmtCount(essayId)).toBe(2);
  await expectCorrectCounters(t);
  await c.removeReply(reply.id, other.token);
  await c.remove(comment.id, reader.token);
});

test('an edit can hold a comment for review and release it again', async () => {
  const { data: comment } = await c.addComment(essayId, '你好', reader.token);
  const { data: reply } = await c.reply(comment.id, '你好呀', other.token);
  await c.edit(comment.id, { pinned: true }, author.token);
  expect((await c.edit(comment.id, { content: '你好，加群' }, reader.token)).data).toMatchObject({
    held: true,
    pinned: false,
  });
  expect(await c.cmtCount(essayId)).toBe(1);
  // The replies stay under a tombstone.
  expect((await c.list(essayId)).data).toMatchObject({
    total: 1,
    list: [{ deleted: true, content: '', user: null, replies: [{ content: '你好呀' }] }],
  });
  expect((await c.list(essayId, reader.token)).data.list).toMatchObject([{ held: true, deleted: false }]);
  await expectCorrectCounters(t);
  await c.removeReply(reply.id, other.token);
  expect((await c.list(essayId)).data).toMatchObject({ total: 0, list: [] });
  expect((await c.edit(comment.id, { content: '你好' }, reader.token)).data).toMatchObject({ held: false });
  expect(await c.cmtCount(essayId)).toBe(1);
  await expectCorrectCounters(t);
  await c.remove(comment.id, reader.token);
});

test('lets staff remove a comment with a reason and restore it, and notifies the writer', async () => {
  const { data: comment } = await c.addComment(essayId, '广告', other.token);
  const { data: reply } = await c.reply(comment.id, '举报了', reader.token);
  expect((await c.moderate(comment.id, 2, staff.token)).errorCode).toBe('REASON_REQUIRED');
  expect((await c.moderate(comment.id, 2, staff.token, '是广告')).data).toMatchObject({
    status: 2,
    content: '广告',
  });
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token: other.token });
  expect(data.list[0]?.text).toBe('你在《论评论》下的评论被移除：是广告');
  expect((await c.list(essayId, other.token)).data.list).toMatchObject([
    { deleted: true, content: '', replies: [{ content: '举报了' }] },
  ]);
  expect((await c.remove(comment.id, other.token)).errorCode).toBe('GONE');
  expect((await c.edit(comment.id, { content: '改' }, other.token)).errorCode).toBe('GONE');
  await expectCorrectCounters(t);
  await c.removeReply(reply.id, reader.token);
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });
  expect(await queue({ status: 2, userId: other.user.id })).toMatchObject({ total: 1 });
  await c.moderate(comment.id, 0, staff.token);
  expect((await c.list(essayId)).data).toMatchObject({ total: 1 });
  await expectCorrectCounters(t);

  // Removal on the page needs no reason.
  expect((await c.remove(comment.id, staff.token)).data).toEqual({ done: true });
  const { rows } = await t.app.services.pool.query(
    `select summary, after->>'status' as status from operations where target = $1 order by id`,
    [`comment:${comment.id}`],
  );
  expect(rows.map((row) => row.status)).toEqual(['2', '0', '2']);
  expect(await c.cmtCount(essayId)).toBe(0);
  await expectCorrectCounters(t);
});

test('lists comments for staff by status, essay and writer, with paging', async () => {
  const elsewhere = await publishEssay(t, author);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++)
    ids.unshift((await c.addComment(elsewhere, `第 ${i} 条`, reader.token)).data.id);
  const { data: reply } = await c.reply(ids[0] ?? '', '回复', other.token);
  ids.unshift(reply.id);
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await queue({ essayId: elsewhere, pageSize: 4, ...(cursor === '' ? {} : { cursor }) });
    expect(page.total).toBe(6);
    found.push(...page.list.map((each) => each.id));
    cursor = page.next;
  }
  expect(found).toEqual(ids);
  expect((await queue({ essayId: elsewhere, userId: other.user.id })).list).toMatchObject([
    { id: reply.id, cmtId: ids[1], user: { displayName: '苏禾' } },
  ]);
  for (const code of ['auditor', 'operator']) {
    const { token } = await createStaffWithRole(t, code);
    expect((await t.call('GET core/sys/comment/', {}, { token })).success).toBe(true);
    expect((await c.moderate(reply.id, 0, token)).success).toBe(true);
  }
  const { token } = await createStaff(t, ['comment:list']);
  expect((await c.moderate(reply.id, 2, token, '不')).errorCode).toBe('FORBIDDEN');
  expect((await c.remove(reply.id, token)).errorCode).toBe('FORBIDDEN');
});

test('does not reveal the new title of an essay off the shelf', async () => {
  const taken = await publishEssay(t, author, { title: '旧题' });
  const endpoint = { name: '同步', url: 'https://93.184.216.34/', events: ['comment.created'], enabled: 1 };
  await t.call('POST core/sys/webhook/', endpoint, { token: await t.signInAdmin() });
  const { data: visible } = await c.addComment(taken, '说过的话', reader.token);
  const { data: held } = await c.addComment(taken, '@苏禾 加群', reader.token, { mentions: [other.user.id] });
  const { token } = author;
  for (const status of [4, 0])
    expect((await t.call('PUT core/essay/status', { id: taken, status }, { token })).success).toBe(true);
  expect((await t.call('PUT core/essay/', { id: taken, version: 1, title: '新题' }, { token })).success).toBe(
    true,
  );
  await c.like(visible.id, author.token);
  await c.moderate(held.id, 0, staff.token);
  await c.moderate(visible.id, 2, staff.token, '是广告');
  expect((await queue({ essayId: taken, status: 0 })).list).toMatchObject([{ id: held.id }]);
  for (const each of [reader, other]) {
    const { data } = await t.call('GET core/user/notice', { pageSize: 100 }, { token: each.token });
    expect(JSON.stringify(data.list)).not.toContain('新题');
  }
  expect(await t.query('select body from webhook_deliveries')).toEqual([
    { body: expect.stringContaining('旧题') },
  ]);
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token: reader.token });
  expect(data.list[0]).toMatchObject({ text: '你的评论被移除：是广告' });
  await expectCorrectCounters(t);
});

test('omits held comments of deleted essays from the staff list', async () => {
  const gone = await publishEssay(t, author);
  const before = (await queue({ status: 1 })).total;
  await c.addComment(gone, '快加群', reader.token);
  expect((await queue({ status: 1 })).total).toBe(before + 1);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: author.token });
  expect(await queue({ status: 1 })).toMatchObject({ total: before });
  expect(await queue({ essayId: gone })).toMatchObject({ list: [], total: 0 });
});

test('keeps an unlisted tombstone for replies that only staff see', async () => {
  const { data: comment } = await c.addComment(essayId, '删去的', reader.token);
  const { data: held } = await c.reply(comment.id, '加群', other.token);
  const { data: removed } = await c.reply(comment.id, '广告', other.token);
  const { total } = (await c.list(essayId)).data;
  await c.moderate(removed.id, 2, staff.token, '是广告');
  await c.remove(comment.id, reader.token);
  expect((await c.list(essayId)).data.total).toBe(total - 1);
  expect((await c.list(essayId, undefined, { id: comment.id })).errorCode).toBe('NOT_FOUND');
  const kept = async () =>
    (await queue({ userId: other.user.id, essayId })).list
      .map((each) => each.id)
      .filter((id) => id === held.id || id === removed.id);
  expect(await kept()).toEqual([removed.id, held.id]);
  await expectCorrectCounters(t);
  // An approved reply is listed under the tombstone, which stays when the reply is removed again.
  await c.moderate(held.id, 0, staff.token);
  expect((await c.list(essayId, undefined, { id: comment.id })).data.list).toMatchObject([
    { deleted: true, replies: [{ content: '加群' }] },
  ]);
  await c.moderate(held.id, 2, staff.token, '是广告');
  expect(await kept()).toEqual([removed.id, held.id]);
  await expectCorrectCounters(t);
});

test('deletes a tombstone with its last reply, even if that was held', async () => {
  const { data: comment } = await c.addComment(essayId, '删去的', reader.token);
  const { data: held } = await c.reply(comment.id, '加群', other.token);
  await c.remove(comment.id, reader.token);
  expect((await c.removeReply(held.id, other.token)).success).toBe(true);
  const { rows } = await t.app.services.pool.query('select 1 from comments where id = $1', [comment.id]);
  expect(rows).toEqual([]);
  await expectCorrectCounters(t);
});

test('filters comments for staff by keyword and days, and sorts by time, likes and replies', async () => {
  const about = await publishEssay(t, author, { title: '另一篇' });
  const comments = [];
  for (const content of ['第一条 50% 对', '第二条', '第三条 500 对'])
    comments.push((await c.addComment(about, content, reader.token)).data.id);
  await c.like(comments[1] ?? '', other.token);
  await c.reply(comments[0] ?? '', '回一句', other.token);
  const found = async (query: object) =>
    contentsOf((await queue({ essayId: about, ...query })).list as never);
  expect(await found({ keyword: '50%' })).toEqual(['第一条 50% 对']);
  expect(await found({ keyword: '对' })).toEqual(['第三条 500 对', '第一条 50% 对']);
  expect(await found({ userId: other.user.id, keyword: '对' })).toEqual([]);
  expect(await found({ sort: 'createdAt', order: 0 })).toEqual([
    '第一条 50% 对',
    '第二条',
    '第三条 500 对',
    '回一句',
  ]);
  expect((await found({ sort: 'likeCount', order: 1 }))[0]).toBe('第二条');
  expect((await found({ sort: 'replyCount', order: 1 }))[0]).toBe('第一条 50% 对');
  const first = await queue({ essayId: about, sort: 'likeCount', order: 1, pageSize: 3 });
  expect(first.total).toBe(4);
  expect(await found({ sort: 'likeCount', order: 1, cursor: first.next })).toEqual(['第一条 50% 对']);
  expect(await found({ to: '2020-01-01' })).toEqual([]);
  const wrong = (query: object) => t.call('GET core/sys/comment/', query, { token: staff.token });
  expect((await wrong({ sort: 'content' })).status).toBe(422);
  const ofAnotherOrder = (await queue({ essayId: about, pageSize: 1 })).next;
  expect((await wrong({ sort: 'likeCount', cursor: ofAnotherOrder })).status).toBe(422);
});
