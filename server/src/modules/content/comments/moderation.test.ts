import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { expectInStep, talk, texts } from '../../../testing/comments.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';
import { makeMember, makeStaff, type Staff } from '../../../testing/staff.ts';

let t: TestApp;
let c: ReturnType<typeof talk>;
let author: Writer;
let reader: Writer;
let other: Writer;
let staff: Staff;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp();
  c = talk(t);
  author = await makeWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
  staff = await makeStaff(t, ['comment:list', 'comment:update']);
  essayId = await publishEssay(t, author, { title: '论评论' });
  await c.addWord('赌博', 'refuse');
  await c.addWord('加群', 'hold');
  await c.addWord('笨蛋', 'mask');
});
afterAll(() => t.close());

const queue = async (query: object = {}) =>
  (await t.call('GET core/sys/comment/', query, { token: staff.token })).data;
const kinds = async (token: string) => (await c.notices(token)).map((each) => each.kind);

test('refused words are named, however they are written', async () => {
  for (const content of ['来赌博吧', '来赌&#x535A;吧', '来赌**博**吧']) {
    const answer = await c.say(essayId, content, reader.token);
    expect(answer).toMatchObject({ status: 422, errorCode: 'WORDS_REFUSED' });
    expect(answer.errorMessage).toContain('赌博');
    expect(answer.fields?.content).toContain('赌博');
  }
  const { data: said } = await c.say(essayId, '正经话', reader.token);
  expect((await c.edit(said.id, { content: '赌博' }, reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect((await c.reply(said.id, '赌博', reader.token)).errorCode).toBe('WORDS_REFUSED');
  expect(texts((await c.list(essayId)).data.list)).toEqual(['正经话']);
  await c.remove(said.id, reader.token);
});

test('words are hidden from others; the writer edits what was written', async () => {
  const { data: said } = await c.say(essayId, '你这个笨蛋', reader.token);
  expect(said).toMatchObject({ content: '你这个笨蛋', html: '<p>你这个＊＊</p>', held: false });
  expect((await c.list(essayId)).data.list[0]).toMatchObject({
    content: '你这个＊＊',
    html: '<p>你这个＊＊</p>',
  });
  await c.edit(said.id, { content: '你这个聪明人' }, reader.token);
  expect((await c.list(essayId)).data.list[0]?.content).toBe('你这个聪明人');
  await c.remove(said.id, reader.token);
});

test('code is not screened; a preview hides what will be hidden', async () => {
  const content = '看 `加群 赌博`，笨蛋：\n\n```\n笨蛋 = 赌博\n```';
  const html = /<code>加群 赌博<\/code>，＊＊：<\/p>\s*<pre tabindex="0"><code>笨蛋 = 赌博\s*<\/code>/;
  const { data: said } = await c.say(essayId, content, reader.token);
  expect(said).toMatchObject({ held: false, html: expect.stringMatching(html) });
  const preview = (content: string) =>
    t.call('POST core/essay/cmt/preview', { content }, { token: reader.token });
  expect((await preview(content)).data.html).toBe(said.html);
  // Not code here, though it is in an essay.
  expect((await preview('说\n\n    笨蛋')).data.html).toContain('＊＊');
  expect((await c.say(essayId, '`x` 来赌博', reader.token)).errorCode).toBe('WORDS_REFUSED');
  await c.remove(said.id, reader.token);
});

test('what is held only its writer sees, until staff let it pass', async () => {
  const { data: said } = await c.say(essayId, '快加群', reader.token);
  expect(said).toMatchObject({ held: true, content: '快加群' });
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });
  expect((await c.list(essayId, author.token)).data.list).toEqual([]);
  expect((await c.list(essayId, reader.token)).data.list).toMatchObject([{ held: true, content: '快加群' }]);
  expect(await c.cmtCount(essayId)).toBe(0);
  expect(await kinds(author.token)).toEqual([]);
  for (const answer of [
    await c.like(said.id, other.token),
    await c.reply(said.id, '好', other.token),
    await c.edit(said.id, { pinned: true }, author.token),
  ])
    expect(answer.errorCode).toBe('GONE');
  expect((await c.edit(said.id, { content: '我的' }, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.remove(said.id, other.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.replies(said.id, other.token)).errorCode).toBe('NOT_FOUND');

  const waiting = await queue({ status: 1 });
  expect(waiting).toMatchObject({
    total: 1,
    list: [{ id: said.id, essay: { id: essayId, title: '论评论' }, status: 1, words: ['加群'] }],
  });
  expect((await c.moderate(said.id, 0, staff.token)).data).toMatchObject({ status: 0 });
  expect((await c.moderate(said.id, 0, staff.token)).data).toMatchObject({ status: 0 });
  expect((await c.list(essayId)).data).toMatchObject({ total: 1, list: [{ held: false }] });
  expect(await c.cmtCount(essayId)).toBe(1);
  expect(await kinds(author.token)).toEqual(['comment']);
  const { data: told } = await t.call('GET core/user/notice', { kind: 'system' }, { token: reader.token });
  expect(told.list[0]).toMatchObject({
    text: '你在《论评论》下的评论通过了审核，大家都能看到了',
    target: { url: `/essay/detail/${essayId}.html#cmt-${said.id}` },
  });

  const { data: answer } = await c.reply(said.id, '加群吧', other.token);
  expect(answer.held).toBe(true);
  expect((await c.list(essayId, other.token)).data.list[0]).toMatchObject({
    replyCount: 0,
    replies: [{ held: true }],
  });
  expect((await c.replies(said.id, reader.token)).data).toMatchObject({ list: [], total: 0 });
  expect(await kinds(reader.token)).toEqual([]);
  await c.moderate(answer.id, 0, staff.token);
  expect((await c.replies(said.id)).data).toMatchObject({ total: 1, list: [{ content: '加群吧' }] });
  expect(await kinds(reader.token)).toEqual(['reply']);
  expect(await c.cmtCount(essayId)).toBe(2);
  await expectInStep(t);
  await c.removeReply(answer.id, other.token);
  await c.remove(said.id, reader.token);
});

test('an edit may bring it before staff, and take it back', async () => {
  const { data: said } = await c.say(essayId, '你好', reader.token);
  const { data: answer } = await c.reply(said.id, '你好呀', other.token);
  await c.edit(said.id, { pinned: true }, author.token);
  expect((await c.edit(said.id, { content: '你好，加群' }, reader.token)).data).toMatchObject({
    held: true,
    pinned: false,
  });
  expect(await c.cmtCount(essayId)).toBe(1);
  // Its replies are still there, and so is its place.
  expect((await c.list(essayId)).data).toMatchObject({
    total: 1,
    list: [{ deleted: true, content: '', user: null, replies: [{ content: '你好呀' }] }],
  });
  expect((await c.list(essayId, reader.token)).data.list).toMatchObject([{ held: true, deleted: false }]);
  await expectInStep(t);
  await c.removeReply(answer.id, other.token);
  expect((await c.list(essayId)).data).toMatchObject({ total: 0, list: [] });
  expect((await c.edit(said.id, { content: '你好' }, reader.token)).data).toMatchObject({ held: false });
  expect(await c.cmtCount(essayId)).toBe(1);
  await expectInStep(t);
  await c.remove(said.id, reader.token);
});

test('staff remove with a reason that the writer is told, and may let it return', async () => {
  const { data: said } = await c.say(essayId, '广告', other.token);
  const { data: answer } = await c.reply(said.id, '举报了', reader.token);
  expect((await c.moderate(said.id, 2, staff.token)).errorCode).toBe('REASON_REQUIRED');
  expect((await c.moderate(said.id, 2, staff.token, '是广告')).data).toMatchObject({
    status: 2,
    content: '广告',
  });
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token: other.token });
  expect(data.list[0]?.text).toBe('你在《论评论》下的评论被移除：是广告');
  expect((await c.list(essayId, other.token)).data.list).toMatchObject([
    { deleted: true, content: '', replies: [{ content: '举报了' }] },
  ]);
  expect((await c.remove(said.id, other.token)).errorCode).toBe('GONE');
  expect((await c.edit(said.id, { content: '改' }, other.token)).errorCode).toBe('GONE');
  await expectInStep(t);
  await c.removeReply(answer.id, reader.token);
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });
  expect(await queue({ status: 2, userId: other.user.id })).toMatchObject({ total: 1 });
  await c.moderate(said.id, 0, staff.token);
  expect((await c.list(essayId)).data).toMatchObject({ total: 1 });
  await expectInStep(t);

  // On the page itself, without a word.
  expect((await c.remove(said.id, staff.token)).data).toEqual({ done: true });
  const { rows } = await t.app.services.pool.query(
    `select summary, after->>'status' as status from operations where target = $1 order by id`,
    [`comment:${said.id}`],
  );
  expect(rows.map((row) => row.status)).toEqual(['2', '0', '2']);
  expect(await c.cmtCount(essayId)).toBe(0);
  await expectInStep(t);
});

test('staff find comments by state, essay and writer, a page at a time', async () => {
  const elsewhere = await publishEssay(t, author);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await c.say(elsewhere, `第 ${i} 条`, reader.token)).data.id);
  const { data: answer } = await c.reply(ids[0] ?? '', '回复', other.token);
  ids.unshift(answer.id);
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
    { id: answer.id, cmtId: ids[1], user: { displayName: '苏禾' } },
  ]);
  for (const code of ['auditor', 'operator']) {
    const { token } = await makeMember(t, code);
    expect((await t.call('GET core/sys/comment/', {}, { token })).success).toBe(true);
    expect((await c.moderate(answer.id, 0, token)).success).toBe(true);
  }
  const { token } = await makeStaff(t, ['comment:list']);
  expect((await c.moderate(answer.id, 2, token, '不')).errorCode).toBe('FORBIDDEN');
  expect((await c.remove(answer.id, token)).errorCode).toBe('FORBIDDEN');
});

test('of an essay that its author took back nobody learns the new title', async () => {
  const taken = await publishEssay(t, author, { title: '旧题' });
  const { data: shown } = await c.say(taken, '说过的话', reader.token);
  const { data: held } = await c.say(taken, '@苏禾 加群', reader.token, { mentions: [other.user.id] });
  const { token } = author;
  for (const status of [4, 0])
    expect((await t.call('PUT core/essay/status', { id: taken, status }, { token })).success).toBe(true);
  expect((await t.call('PUT core/essay/', { id: taken, version: 1, title: '新题' }, { token })).success).toBe(
    true,
  );
  await c.like(shown.id, author.token);
  await c.moderate(held.id, 0, staff.token);
  await c.moderate(shown.id, 2, staff.token, '是广告');
  expect((await queue({ essayId: taken, status: 0 })).list).toMatchObject([{ id: held.id }]);
  for (const each of [reader, other]) {
    const { data } = await t.call('GET core/user/notice', { pageSize: 100 }, { token: each.token });
    expect(JSON.stringify(data.list)).not.toContain('新题');
  }
  const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token: reader.token });
  expect(data.list[0]).toMatchObject({ text: '你的评论被移除：是广告' });
  await expectInStep(t);
});

test('what waits under an essay that is gone waits for nobody', async () => {
  const gone = await publishEssay(t, author);
  const before = (await queue({ status: 1 })).total;
  await c.say(gone, '快加群', reader.token);
  expect((await queue({ status: 1 })).total).toBe(before + 1);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: author.token });
  expect(await queue({ status: 1 })).toMatchObject({ total: before });
  expect(await queue({ essayId: gone })).toMatchObject({ list: [], total: 0 });
});

test('replies that only staff see keep the place of a deleted comment, unseen', async () => {
  const { data: said } = await c.say(essayId, '删去的', reader.token);
  const { data: held } = await c.reply(said.id, '加群', other.token);
  const { data: removed } = await c.reply(said.id, '广告', other.token);
  const { total } = (await c.list(essayId)).data;
  await c.moderate(removed.id, 2, staff.token, '是广告');
  await c.remove(said.id, reader.token);
  expect((await c.list(essayId)).data.total).toBe(total - 1);
  expect((await c.list(essayId, undefined, { id: said.id })).errorCode).toBe('NOT_FOUND');
  const kept = async () =>
    (await queue({ userId: other.user.id, essayId })).list
      .map((each) => each.id)
      .filter((id) => id === held.id || id === removed.id);
  expect(await kept()).toEqual([removed.id, held.id]);
  await expectInStep(t);
  // Let pass, it stands under the place; removed again it still keeps it.
  await c.moderate(held.id, 0, staff.token);
  expect((await c.list(essayId, undefined, { id: said.id })).data.list).toMatchObject([
    { deleted: true, replies: [{ content: '加群' }] },
  ]);
  await c.moderate(held.id, 2, staff.token, '是广告');
  expect(await kept()).toEqual([removed.id, held.id]);
  await expectInStep(t);
});

test('a place goes with the last reply, though nobody saw it', async () => {
  const { data: said } = await c.say(essayId, '删去的', reader.token);
  const { data: held } = await c.reply(said.id, '加群', other.token);
  await c.remove(said.id, reader.token);
  expect((await c.removeReply(held.id, other.token)).success).toBe(true);
  const { rows } = await t.app.services.pool.query('select 1 from comments where id = $1', [said.id]);
  expect(rows).toEqual([]);
  await expectInStep(t);
});

test('staff find what was said by words and days, and sort it by time, likes and replies', async () => {
  const about = await publishEssay(t, author, { title: '另一篇' });
  const said = [];
  for (const content of ['第一条 50% 对', '第二条', '第三条 500 对'])
    said.push((await c.say(about, content, reader.token)).data.id);
  await c.like(said[1] ?? '', other.token);
  await c.reply(said[0] ?? '', '回一句', other.token);
  const found = async (query: object) => texts((await queue({ essayId: about, ...query })).list as never);
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
