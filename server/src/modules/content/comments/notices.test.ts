import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, contentsOf } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
});
afterAll(() => t.close());

async function createUsers(): Promise<{
  author: TestUser;
  reader: TestUser;
  other: TestUser;
  essayId: string;
}> {
  const author = await createWriter(t, '林砚');
  const reader = await t.register(undefined, { displayName: '周野' });
  const other = await t.register(undefined, { displayName: '苏禾' });
  return { author, reader, other, essayId: await publishEssay(t, author, { title: '题目' }) };
}

const listNotices = async ({ token }: TestUser) =>
  (await c.notices(token)).map((each) => [each.kind, each.verb]);
const trendsOf = async ({ user, token }: TestUser) =>
  (await t.call('GET core/user/trend', { userId: user.id }, { token })).data.list
    .map((each) => each.type)
    .filter((type) => type === 4 || type === 5);

test('notifies the user who is replied to, with target and excerpt', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const { data: comment } = await c.addComment(essayId, '**写得好**', reader.token);
  const [notice] = await c.notices(author.token);
  expect(notice).toMatchObject({
    kind: 'comment',
    verb: '评论了你的文章',
    actors: [{ id: reader.user.id }],
    excerpt: '写得好',
    target: { title: '题目', url: `/essay/detail/${essayId}.html#cmt-${comment.id}` },
  });
  const { data: first } = await c.reply(comment.id, '是的', other.token);
  expect(await listNotices(reader)).toEqual([['reply', '回复了你在《》下的评论']]);
  await c.reply(comment.id, '不是', author.token, { replyToId: first.id });
  expect(await listNotices(other)).toEqual([['reply', '回复了你在《》下的评论']]);
  expect(await listNotices(reader)).toHaveLength(1);
  // Users get no notices of their own comments.
  await c.addComment(essayId, '作者自己', author.token);
  await c.reply(comment.id, '自己接自己', reader.token);
  expect((await listNotices(author)).map(([kind]) => kind)).toEqual(['comment']);
  expect(await listNotices(reader)).toHaveLength(1);
});

test('removes notices of a deleted comment, and the trend with the last comment', async () => {
  const { author, reader, essayId } = await createUsers();
  const { data: one } = await c.addComment(essayId, '一', reader.token);
  const { data: two } = await c.addComment(essayId, '二', reader.token);
  await c.reply(one.id, '三', reader.token);
  expect(await trendsOf(reader)).toEqual([5, 4]);
  const excerpts = async () =>
    (await c.notices(author.token)).map(({ items }) => items.map(({ excerpt }) => excerpt));
  expect(await excerpts()).toEqual([['二', '一']]);
  await c.remove(one.id, reader.token);
  expect(await excerpts()).toEqual([['二']]);
  expect(await trendsOf(reader)).toEqual([5, 4]);
  await c.remove(two.id, reader.token);
  expect(await listNotices(author)).toEqual([]);
  expect(await trendsOf(reader)).toEqual([5]);
});

test('groups likes of a comment in one notice, and removes it on unlike', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const { data: comment } = await c.addComment(essayId, '赞我', reader.token);
  await c.like(comment.id, other.token);
  await c.like(comment.id, author.token);
  await c.like(comment.id, reader.token);
  const [notice, ...more] = await c.notices(reader.token);
  expect(more).toEqual([]);
  expect(notice).toMatchObject({ kind: 'like', verb: '赞了你在《》下的评论', count: 2 });
  await c.unlike(comment.id, other.token);
  await c.unlike(comment.id, author.token);
  expect(await c.notices(reader.token)).toEqual([]);
});

test('notifies each mentioned user once, and only those who were selected', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const { data: comment } = await c.addComment(
    essayId,
    '@苏禾 看 @林砚 写的，`@周野`，@没有的人',
    reader.token,
    {
      mentions: [other.user.id, author.user.id, reader.user.id],
    },
  );
  expect(comment.html).toContain(`<a href="/user/home/${other.user.id}.html" class="mention">@苏禾</a>`);
  expect(comment.html).toContain('<code>@周野</code>');
  expect(comment.html).toContain('@没有的人');
  expect(await listNotices(other)).toEqual([['mention', '在《》的评论中提到了你']]);
  expect(await listNotices(author)).toEqual([['comment', '评论了你的文章']]);
  // An id without the name in the text is no mention.
  const { data: silent } = await c.addComment(essayId, '没有提到谁', reader.token, {
    mentions: [other.user.id],
  });
  expect(silent.html).not.toContain('href');
  const { data: plain } = await c.addComment(essayId, '@苏禾', reader.token);
  expect(plain.html).toBe('<p>@苏禾</p>');
  expect(await listNotices(other)).toHaveLength(1);
  // An edit notifies only newly mentioned users and keeps existing mentions linked.
  const third = await t.register(undefined, { displayName: '许言' });
  const edited = await c.edit(
    comment.id,
    { content: '@苏禾 和 @许言 看', mentions: [other.user.id, third.user.id] },
    reader.token,
  );
  expect(edited.data.html.match(/class="mention"/g)).toHaveLength(2);
  expect(await listNotices(other)).toHaveLength(1);
  expect(await listNotices(third)).toHaveLength(1);
  expect((await c.edit(comment.id, { content: '@苏禾 再看' }, reader.token)).data.html).toContain('mention');
});

test('the excerpt of a long comment ends with dots', async () => {
  const { author, reader, essayId } = await createUsers();
  await c.addComment(essayId, '长'.repeat(101), reader.token);
  expect((await c.notices(author.token)).map(({ excerpt }) => excerpt)).toEqual([`${'长'.repeat(100)}…`]);
});

test('an edit removes notices of users no longer mentioned and updates other excerpts', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const mentions = [other.user.id];
  const { data: comment } = await c.addComment(essayId, '@苏禾 先前的话', reader.token, { mentions });
  await t.call('PUT core/user/notice', { all: true }, { token: other.token });
  const excerpts = async ({ token }: TestUser) => (await c.notices(token)).map((each) => each.excerpt);
  expect(await excerpts(other)).toEqual(['@苏禾 先前的话']);
  await c.edit(comment.id, { content: '后来的话', mentions: [] }, reader.token);
  expect(await listNotices(other)).toEqual([]);
  expect(await excerpts(author)).toEqual(['后来的话']);
  await c.edit(comment.id, { content: '@苏禾 又来', mentions }, reader.token);
  await c.edit(comment.id, { content: '@苏禾 还来', mentions }, reader.token);
  expect(await excerpts(other)).toEqual(['@苏禾 还来']);
  expect(await excerpts(author)).toEqual(['@苏禾 还来']);
  // Another comment of the same user, in the same notice, stays unchanged.
  await c.addComment(essayId, '另一条', reader.token);
  await c.edit(comment.id, { content: '改完了' }, reader.token);
  const [notice] = await c.notices(author.token);
  expect(notice?.items.map(({ excerpt }) => excerpt)).toEqual(['另一条', '改完了']);
});

test('does not name a user who hides their likes', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const { data: comment } = await c.addComment(essayId, '赞我', reader.token);
  await t.call('PUT core/user/', { privacy: { like: false } }, { token: other.token });
  expect((await c.like(comment.id, other.token)).data).toEqual({ liked: true, likeCount: 1 });
  expect(await c.notices(reader.token)).toEqual([]);
  await c.like(comment.id, author.token);
  expect(await c.notices(reader.token)).toMatchObject([{ count: 1, actors: [{ id: author.user.id }] }]);
});

test('rejects comments of blocked users, ignores mentions by them and hides them', async () => {
  const { author, reader, other, essayId } = await createUsers();
  const { data: before } = await c.addComment(essayId, '从前说的', reader.token);
  const { data: theirs } = await c.addComment(essayId, '别人说的', other.token);
  await c.reply(theirs.id, '从前回的', reader.token);
  await c.block(reader.user.id, other.token);
  expect((await c.reply(theirs.id, '回你', reader.token)).errorCode).toBe('BLOCKED');
  const { data: named } = await c.addComment(essayId, '@苏禾 在吗', reader.token, {
    mentions: [other.user.id],
  });
  expect(named.html).toBe('<p>@苏禾 在吗</p>');
  expect((await listNotices(other)).map(([kind]) => kind)).not.toContain('mention');
  const { list, total } = (await c.list(essayId, other.token)).data;
  expect(contentsOf(list)).toEqual(['别人说的']);
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({ replies: [], replyCount: 0 });
  expect((await c.replies(theirs.id, other.token)).data).toMatchObject({ list: [], total: 0 });
  expect((await c.replies(theirs.id)).data.total).toBe(1);
  // It is not found by its id or by the id of a reply either.
  const { data: reply } = await c.reply(before.id, '回从前的', author.token);
  for (const id of [before.id, reply.id]) {
    expect((await c.list(essayId, other.token, { id })).errorCode).toBe('NOT_FOUND');
    expect((await c.list(essayId, author.token, { id })).data.list).toMatchObject([{ id: before.id }]);
  }
  expect(contentsOf((await c.list(essayId)).data.list)).toHaveLength(3);

  await c.block(reader.user.id, author.token);
  expect((await c.addComment(essayId, '再说', reader.token)).errorCode).toBe('BLOCKED');
  expect((await c.reply(before.id, '再回', reader.token)).errorCode).toBe('BLOCKED');
  // Earlier comments can still be deleted.
  expect((await c.remove(before.id, reader.token)).success).toBe(true);
});
