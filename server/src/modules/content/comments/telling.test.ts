import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { talk, texts } from '../../../testing/comments.ts';
import { makeWriter, publishEssay, type Writer } from '../../../testing/essays.ts';

let t: TestApp;
let c: ReturnType<typeof talk>;
beforeAll(async () => {
  t = await startTestApp();
  c = talk(t);
});
afterAll(() => t.close());

async function people(): Promise<{ author: Writer; reader: Writer; other: Writer; essayId: string }> {
  const author = await makeWriter(t, '林砚');
  const reader = await t.register(undefined, { displayName: '周野' });
  const other = await t.register(undefined, { displayName: '苏禾' });
  return { author, reader, other, essayId: await publishEssay(t, author, { title: '题目' }) };
}

const told = async ({ token }: Writer) => (await c.notices(token)).map((each) => [each.kind, each.verb]);
const trendsOf = async ({ user, token }: Writer) =>
  (await t.call('GET core/user/trend', { userId: user.id }, { token })).data.list
    .map((each) => each.type)
    .filter((type) => type === 4 || type === 5);

test('whoever is answered is told, with where and what was said', async () => {
  const { author, reader, other, essayId } = await people();
  const { data: said } = await c.say(essayId, '**写得好**', reader.token);
  const [notice] = await c.notices(author.token);
  expect(notice).toMatchObject({
    kind: 'comment',
    verb: '评论了你的文章',
    actors: [{ id: reader.user.id }],
    excerpt: '写得好',
    target: { title: '题目', url: `/essay/detail/${essayId}.html#cmt-${said.id}` },
  });
  const { data: first } = await c.reply(said.id, '是的', other.token);
  expect(await told(reader)).toEqual([['reply', '回复了你在《》下的评论']]);
  await c.reply(said.id, '不是', author.token, { replyToId: first.id });
  expect(await told(other)).toEqual([['reply', '回复了你在《》下的评论']]);
  expect(await told(reader)).toHaveLength(1);
  // Of one's own words one is not told.
  await c.say(essayId, '作者自己', author.token);
  await c.reply(said.id, '自己接自己', reader.token);
  expect((await told(author)).map(([kind]) => kind)).toEqual(['comment']);
  expect(await told(reader)).toHaveLength(1);
});

test('what is deleted is told no more, and the trend goes with the last one', async () => {
  const { author, reader, essayId } = await people();
  const { data: one } = await c.say(essayId, '一', reader.token);
  const { data: two } = await c.say(essayId, '二', reader.token);
  await c.reply(one.id, '三', reader.token);
  expect(await trendsOf(reader)).toEqual([5, 4]);
  expect(await told(author)).toHaveLength(2);
  await c.remove(one.id, reader.token);
  expect(await told(author)).toHaveLength(1);
  expect(await trendsOf(reader)).toEqual([5, 4]);
  await c.remove(two.id, reader.token);
  expect(await told(author)).toEqual([]);
  expect(await trendsOf(reader)).toEqual([5]);
});

test('likes of a comment are told as one, and not when taken back', async () => {
  const { author, reader, other, essayId } = await people();
  const { data: said } = await c.say(essayId, '赞我', reader.token);
  await c.like(said.id, other.token);
  await c.like(said.id, author.token);
  await c.like(said.id, reader.token);
  const [notice, ...more] = await c.notices(reader.token);
  expect(more).toEqual([]);
  expect(notice).toMatchObject({ kind: 'like', verb: '赞了你在《》下的评论', count: 2 });
  await c.unlike(said.id, other.token);
  await c.unlike(said.id, author.token);
  expect(await c.notices(reader.token)).toEqual([]);
});

test('who is named is told, once, and only who was chosen', async () => {
  const { author, reader, other, essayId } = await people();
  const { data: said } = await c.say(essayId, '@苏禾 看 @林砚 写的，`@周野`，@没有的人', reader.token, {
    mentions: [other.user.id, author.user.id, reader.user.id],
  });
  expect(said.html).toContain(`<a href="/user/home/${other.user.id}.html" class="mention">@苏禾</a>`);
  expect(said.html).toContain('<code>@周野</code>');
  expect(said.html).toContain('@没有的人');
  expect(await told(other)).toEqual([['mention', '在《》的评论中提到了你']]);
  expect(await told(author)).toEqual([['comment', '评论了你的文章']]);
  // Nobody is named by id alone.
  const { data: silent } = await c.say(essayId, '没有提到谁', reader.token, { mentions: [other.user.id] });
  expect(silent.html).not.toContain('href');
  const { data: plain } = await c.say(essayId, '@苏禾', reader.token);
  expect(plain.html).toBe('<p>@苏禾</p>');
  expect(await told(other)).toHaveLength(1);
  // By an edit only who was not named before; what is kept stays linked.
  const third = await t.register(undefined, { displayName: '许言' });
  const edited = await c.edit(
    said.id,
    { content: '@苏禾 和 @许言 看', mentions: [other.user.id, third.user.id] },
    reader.token,
  );
  expect(edited.data.html.match(/class="mention"/g)).toHaveLength(2);
  expect(await told(other)).toHaveLength(1);
  expect(await told(third)).toHaveLength(1);
  expect((await c.edit(said.id, { content: '@苏禾 再看' }, reader.token)).data.html).toContain('mention');
});

test('an edit takes back who is no longer named, and others read how it begins now', async () => {
  const { author, reader, other, essayId } = await people();
  const mentions = [other.user.id];
  const { data: said } = await c.say(essayId, '@苏禾 先前的话', reader.token, { mentions });
  await t.call('PUT core/user/notice', { all: true }, { token: other.token });
  const excerpts = async ({ token }: Writer) => (await c.notices(token)).map((each) => each.excerpt);
  expect(await excerpts(other)).toEqual(['@苏禾 先前的话']);
  await c.edit(said.id, { content: '后来的话', mentions: [] }, reader.token);
  expect(await told(other)).toEqual([]);
  expect(await excerpts(author)).toEqual(['后来的话']);
  await c.edit(said.id, { content: '@苏禾 又来', mentions }, reader.token);
  await c.edit(said.id, { content: '@苏禾 还来', mentions }, reader.token);
  expect(await excerpts(other)).toEqual(['@苏禾 还来']);
  expect(await excerpts(author)).toEqual(['@苏禾 还来']);
  // Another comment of theirs is told as it was.
  await c.say(essayId, '另一条', reader.token);
  await c.edit(said.id, { content: '改完了' }, reader.token);
  expect(await excerpts(author)).toEqual(['另一条', '改完了']);
});

test('who hides what they like is named to nobody', async () => {
  const { author, reader, other, essayId } = await people();
  const { data: said } = await c.say(essayId, '赞我', reader.token);
  await t.call('PUT core/user/', { privacy: { like: false } }, { token: other.token });
  expect((await c.like(said.id, other.token)).data).toEqual({ liked: true, likeCount: 1 });
  expect(await c.notices(reader.token)).toEqual([]);
  await c.like(said.id, author.token);
  expect(await c.notices(reader.token)).toMatchObject([{ count: 1, actors: [{ id: author.user.id }] }]);
});

test('who is blocked is refused, named by nobody, and not read', async () => {
  const { author, reader, other, essayId } = await people();
  const { data: before } = await c.say(essayId, '从前说的', reader.token);
  const { data: theirs } = await c.say(essayId, '别人说的', other.token);
  await c.reply(theirs.id, '从前回的', reader.token);
  await c.block(reader.user.id, other.token);
  expect((await c.reply(theirs.id, '回你', reader.token)).errorCode).toBe('BLOCKED');
  const { data: named } = await c.say(essayId, '@苏禾 在吗', reader.token, { mentions: [other.user.id] });
  expect(named.html).toBe('<p>@苏禾 在吗</p>');
  expect((await told(other)).map(([kind]) => kind)).not.toContain('mention');
  const { list, total } = (await c.list(essayId, other.token)).data;
  expect(texts(list)).toEqual(['别人说的']);
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({ replies: [], replyCount: 0 });
  expect((await c.replies(theirs.id, other.token)).data).toMatchObject({ list: [], total: 0 });
  expect((await c.replies(theirs.id)).data.total).toBe(1);
  // Nor by its id, or by that of a reply to it.
  const { data: answer } = await c.reply(before.id, '回从前的', author.token);
  for (const id of [before.id, answer.id]) {
    expect((await c.list(essayId, other.token, { id })).errorCode).toBe('NOT_FOUND');
    expect((await c.list(essayId, author.token, { id })).data.list).toMatchObject([{ id: before.id }]);
  }
  expect(texts((await c.list(essayId)).data.list)).toHaveLength(3);

  await c.block(reader.user.id, author.token);
  expect((await c.say(essayId, '再说', reader.token)).errorCode).toBe('BLOCKED');
  expect((await c.reply(before.id, '再回', reader.token)).errorCode).toBe('BLOCKED');
  // What one said before one may still take back.
  expect((await c.remove(before.id, reader.token)).success).toBe(true);
});
