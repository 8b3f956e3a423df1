import type { Comment } from '@mozhan/contract/comments.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, contentsOf, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff } from '../../../testing/staff.ts';

const MINUTE = 60_000;

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let author: TestUser;
let reader: TestUser;
let other: TestUser;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  other = await t.register(undefined, { displayName: '苏禾' });
});
afterAll(() => t.close());

test('counts comments and replies, and lets everyone read them', async () => {
  const essayId = await publishEssay(t, author);
  const comment = await c.addComment(essayId, '写得**很好**\n学到了', reader.token);
  expect(comment.data).toMatchObject({
    essayId,
    user: { id: reader.user.id, displayName: '周野' },
    content: '写得**很好**\n学到了',
    html: '<p>写得<strong>很好</strong><br>\n学到了</p>',
    likeCount: 0,
    replyCount: 0,
    held: false,
    deleted: false,
    edited: false,
    isAuthor: false,
    pinned: false,
    replies: [],
    mine: { liked: false, canEdit: true, canRemove: true, canPin: false },
  });
  const first = await c.reply(comment.data.id, '谢谢', author.token);
  expect(first.data).toMatchObject({ cmtId: comment.data.id, replyTo: null, isAuthor: true });
  const second = await c.reply(comment.data.id, '同感', other.token, { replyToId: first.data.id });
  expect(second.data).toMatchObject({ replyTo: { id: author.user.id }, isAuthor: false });
  const { data } = await c.list(essayId);
  expect(data).toMatchObject({ total: 1, next: null });
  expect(data.list[0]).toMatchObject({
    replyCount: 2,
    replies: [{ content: '谢谢' }, { content: '同感' }],
    mine: { liked: false, canEdit: false, canRemove: false, canPin: false },
  });
  expect((await c.list(essayId, author.token)).data.list[0]?.mine).toMatchObject({
    canRemove: true,
    canPin: true,
  });
  expect(await c.cmtCount(essayId)).toBe(3);
  await expectCorrectCounters(t);
});

test('rejects unauthorized and invalid requests', async () => {
  const essayId = await publishEssay(t, author);
  const { data: comment } = await c.addComment(essayId, '一', reader.token);
  const { data: reply } = await c.reply(comment.id, '二', reader.token);
  const anonymous = [
    await c.addComment(essayId, '三'),
    await c.reply(comment.id, '三'),
    await c.edit(comment.id, { content: '三' }),
    await c.remove(comment.id),
    await c.removeReply(reply.id),
    await c.like(comment.id),
    await c.unlike(comment.id),
    await t.call('POST core/essay/cmt/preview', { content: '三' }),
    await t.call('GET core/sys/comment/', {}),
    await c.moderate(comment.id, 0),
  ];
  expect(anonymous.map((each) => each.errorCode)).toEqual(Array(10).fill('SIGN_IN_REQUIRED'));
  const stranger = [
    await c.edit(comment.id, { content: '三' }, other.token),
    await c.edit(comment.id, { pinned: true }, other.token),
    await c.edit(comment.id, { pinned: true }, reader.token),
    await c.edit(reply.id, { pinned: true }, author.token),
    await c.edit(comment.id, { content: '三' }, author.token),
    await c.remove(comment.id, other.token),
    await c.removeReply(reply.id, other.token),
    await t.call('GET core/sys/comment/', {}, { token: reader.token }),
    await c.moderate(comment.id, 0, author.token),
  ];
  expect(stranger.map((each) => each.errorCode)).toEqual(Array(9).fill('FORBIDDEN'));
  const wrong = [
    await c.addComment(essayId, '  ', reader.token),
    await c.addComment(essayId, '字'.repeat(2001), reader.token),
    await c.addComment(essayId, '三', reader.token, { mentions: ['x'] }),
    await c.edit(comment.id, {}, reader.token),
    await c.list(essayId, undefined, { cursor: 'x' }),
    await c.list(essayId, undefined, {
      cursor: Buffer.from(JSON.stringify(['2', '0'.repeat(32)])).toString('base64url'),
    }),
    await c.list(essayId, undefined, {
      sort: 'hot',
      cursor: Buffer.from(JSON.stringify(['0', '0'.repeat(32)])).toString('base64url'),
    }),
  ];
  expect(wrong.map((each) => each.errorCode)).toEqual(Array(7).fill('INVALID'));
  const unknown = '0'.repeat(32);
  const missing = [
    await c.addComment(unknown, '三', reader.token),
    await c.reply(unknown, '三', reader.token),
    await c.reply(reply.id, '三', reader.token),
    await c.reply(comment.id, '三', reader.token, { replyToId: unknown }),
    await c.edit(unknown, { content: '三' }, reader.token),
    await c.remove(unknown, reader.token),
    await c.like(unknown, reader.token),
    await c.replies(unknown),
    await c.list(essayId, undefined, { id: unknown }),
  ];
  expect(missing.map((each) => each.errorCode)).toEqual(Array(9).fill('NOT_FOUND'));
  expect(await c.cmtCount(essayId)).toBe(2);
});

test('rejects comments when they are closed or the essay is off the shelf or deleted', async () => {
  const closed = await publishEssay(t, author, { allowComment: false });
  expect((await c.addComment(closed, '好', reader.token)).errorCode).toBe('COMMENTS_CLOSED');
  const waiting = await submitEssay(t, author);
  expect((await c.addComment(waiting, '好', reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.addComment(waiting, '好', author.token)).errorCode).toBe('COMMENTS_CLOSED');
  expect((await c.list(waiting)).errorCode).toBe('NOT_FOUND');

  const locked = await publishEssay(t, author, { price: 100 });
  expect((await c.addComment(locked, '没有买，也能说', reader.token)).success).toBe(true);

  const essayId = await publishEssay(t, author);
  const { data: comment } = await c.addComment(essayId, '好', reader.token);
  await t.call('PUT core/essay/status', { id: essayId, status: 4 }, { token: author.token });
  expect((await c.list(essayId, reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.reply(comment.id, '在吗', reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.edit(comment.id, { content: '改' }, reader.token)).errorCode).toBe('NOT_FOUND');
  expect((await c.list(essayId, author.token)).data.total).toBe(1);
  // Deleting one's own comment is always allowed.
  expect((await c.remove(comment.id, reader.token)).success).toBe(true);

  const gone = await publishEssay(t, author);
  const { data: last } = await c.addComment(gone, '好', reader.token);
  await t.call('DELETE core/essay/{id}', { id: gone }, { token: author.token });
  const responses = [
    await c.list(gone, reader.token),
    await c.addComment(gone, '好', reader.token),
    await c.reply(last.id, '好', reader.token),
    await c.replies(last.id),
    await c.edit(last.id, { content: '改' }, reader.token),
    await c.like(last.id, reader.token),
    await c.remove(last.id, reader.token),
  ];
  expect(responses.map((each) => each.errorCode)).toEqual(Array(7).fill('GONE'));
});

test('allows editing for fifteen minutes', async () => {
  const essayId = await publishEssay(t, author);
  const { data: comment } = await c.addComment(essayId, '早', reader.token);
  const { data: reply } = await c.reply(comment.id, '也早', reader.token);
  t.advance(14 * MINUTE);
  const edited = await c.edit(comment.id, { content: '早上*好*' }, reader.token);
  expect(edited.data).toMatchObject({ content: '早上*好*', edited: true, mine: { canEdit: true } });
  expect(edited.data.html).toContain('<em>好</em>');
  expect((await c.edit(reply.id, { content: '改了' }, reader.token)).data).toMatchObject({
    cmtId: comment.id,
    content: '改了',
  });
  t.advance(2 * MINUTE);
  expect((await c.edit(comment.id, { content: '晚' }, reader.token)).errorCode).toBe('EDIT_TOO_LATE');
  const { list } = (await c.list(essayId, reader.token)).data;
  expect(list[0]).toMatchObject({ content: '早上*好*', mine: { canEdit: false, canRemove: true } });
});

test('a deleted comment with replies becomes a tombstone, which is deleted with the last reply', async () => {
  const essayId = await publishEssay(t, author);
  const { data: alone } = await c.addComment(essayId, '没人理', reader.token);
  await c.remove(alone.id, reader.token);
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });

  const { data: comment } = await c.addComment(essayId, '有人理', reader.token);
  const { data: one } = await c.reply(comment.id, '一', other.token);
  const { data: two } = await c.reply(comment.id, '二', author.token);
  await c.like(comment.id, other.token);
  expect((await c.remove(comment.id, reader.token)).data).toEqual({ done: true });
  for (const token of [undefined, reader.token, author.token]) {
    const { list, total } = (await c.list(essayId, token)).data;
    expect(total).toBe(1);
    expect(list[0]).toMatchObject({
      id: comment.id,
      deleted: true,
      user: null,
      content: '',
      html: '',
      likeCount: 0,
      replyCount: 2,
      replies: [{ content: '一' }, { content: '二' }],
      mine: { canEdit: false, canRemove: false, canPin: false },
    });
  }
  const gone = [
    await c.remove(comment.id, reader.token),
    await c.like(comment.id, other.token),
    await c.edit(comment.id, { content: '回来' }, reader.token),
    await c.edit(comment.id, { pinned: true }, author.token),
    await c.reply(comment.id, '三', other.token),
  ];
  expect(gone.map((each) => each.errorCode)).toEqual(Array(5).fill('GONE'));
  // Others can still reply in the thread.
  const { data: three } = await c.reply(comment.id, '三', other.token, { replyToId: two.id });
  expect(await c.cmtCount(essayId)).toBe(3);
  await expectCorrectCounters(t);
  await c.removeReply(one.id, other.token);
  await c.removeReply(two.id, author.token);
  expect((await c.list(essayId)).data.total).toBe(1);
  await c.removeReply(three.id, author.token);
  expect((await c.list(essayId)).data).toMatchObject({ list: [], total: 0 });
  expect((await c.replies(comment.id)).errorCode).toBe('NOT_FOUND');
  expect(await c.cmtCount(essayId)).toBe(0);
  await expectCorrectCounters(t);
});

test('lets the author pin at most three comments, which are listed first', async () => {
  const essayId = await publishEssay(t, author);
  const comments: Comment[] = [];
  for (const content of ['一', '二', '三', '四', '五'])
    comments.push((await c.addComment(essayId, content, reader.token)).data);
  const [one, two, three, four] = comments.map((each) => each.id) as [string, string, string, string];
  for (const id of [one, two, three])
    expect((await c.edit(id, { pinned: true }, author.token)).data).toMatchObject({ pinned: true });
  expect((await c.edit(four, { pinned: true }, author.token)).errorCode).toBe('TOO_MANY_PINNED');
  expect((await c.edit(one, { pinned: true }, author.token)).success).toBe(true);
  expect(contentsOf((await c.list(essayId)).data.list)).toEqual(['三', '二', '一', '五', '四']);
  await c.like(four, other.token);
  expect(contentsOf((await c.list(essayId, undefined, { sort: 'hot' })).data.list)).toEqual([
    ...['三', '二', '一', '四', '五'],
  ]);
  await c.edit(two, { pinned: false }, author.token);
  await c.remove(three, author.token);
  expect(contentsOf((await c.list(essayId)).data.list)).toEqual(['一', '五', '四', '二']);
  const both = await Promise.all(
    comments
      .slice(3)
      .flatMap(({ id }) => [id, id].map((each) => c.edit(each, { pinned: true }, author.token))),
  );
  expect(both.every((each) => each.success)).toBe(true);
  expect((await c.edit(two, { pinned: true }, author.token)).errorCode).toBe('TOO_MANY_PINNED');
  await expectCorrectCounters(t);
});

test('likes and unlikes are idempotent', async () => {
  const essayId = await publishEssay(t, author);
  const { data: comment } = await c.addComment(essayId, '赞', reader.token);
  const { data: reply } = await c.reply(comment.id, '也赞', reader.token);
  for (let i = 0; i < 2; i++)
    expect((await c.like(comment.id, other.token)).data).toEqual({ liked: true, likeCount: 1 });
  expect((await c.like(comment.id, author.token)).data).toEqual({ liked: true, likeCount: 2 });
  await c.like(reply.id, other.token);
  const [mine] = (await c.list(essayId, other.token)).data.list;
  expect(mine).toMatchObject({ likeCount: 2, mine: { liked: true }, replies: [{ mine: { liked: true } }] });
  expect((await c.list(essayId, reader.token)).data.list[0]?.mine.liked).toBe(false);
  for (let i = 0; i < 2; i++)
    expect((await c.unlike(comment.id, other.token)).data).toEqual({ liked: false, likeCount: 1 });
  await expectCorrectCounters(t);
});

test('shows the region only while the site setting allows it', async () => {
  const essayId = await publishEssay(t, author);
  const { data: comment } = await c.addComment(essayId, '这里', reader.token);
  await t.app.services.pool.query(`update comments set region = '浙江' where id = $1`, [comment.id]);
  expect((await c.list(essayId)).data.list[0]?.region).toBe('浙江');
  const { token } = await createStaff(t, ['setting:list', 'setting:update']);
  await t.call('PUT core/sys/setting/', { showRegion: false }, { token });
  expect((await c.list(essayId)).data.list[0]?.region).toBe('');
  await t.call('PUT core/sys/setting/', { showRegion: true }, { token });
});

test('renders the preview like the saved comment', async () => {
  const { data } = await t.call(
    'POST core/essay/cmt/preview',
    { content: '看 @苏禾 `x`', mentions: [other.user.id] },
    { token: reader.token },
  );
  expect(data.html).toBe(
    `<p>看 <a href="/user/home/${other.user.id}.html" class="mention">@苏禾</a> <code>x</code></p>`,
  );
});
