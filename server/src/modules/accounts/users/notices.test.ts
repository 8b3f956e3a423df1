import type { UnreadCounts } from '@mozhan/contract/notices.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { createDb } from '../../../db/client.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { type NewNotice, notify, removeNotices, removeUsers } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => t.close());

type Person = Awaited<ReturnType<TestApp['register']>>;

const notifyUsers = (...notices: NewNotice[]) =>
  inTransaction(systemCtx(t.app.services), (ctx) => notify(ctx, ...notices));
const removeFromNotices = (...taken: Parameters<typeof removeNotices>[1]) =>
  inTransaction(systemCtx(t.app.services), (ctx) => removeNotices(ctx, taken));

const registerUsers = (...names: string[]) =>
  Promise.all(names.map((displayName) => t.register(undefined, { displayName })));

const essay = (title = '标题') => {
  const id = newId();
  return { id, title, url: `/told/of/${id}.html` };
};
type Target = ReturnType<typeof essay>;

const like = (to: Person, by: Person, target: Target): NewNotice => ({
  userId: to.user.id,
  kind: 'like',
  actorId: by.user.id,
  text: '赞了你的文章',
  target,
});
const unlike = (to: Person, by: Person, target: Target) =>
  ({ userId: to.user.id, kind: 'like', actorId: by.user.id, targetId: target.id }) as const;

const list = async (who: Person, input: object = {}) =>
  (await t.call('GET core/user/notice', { pageSize: 100, ...input }, { token: who.token })).data;
const likesOf = async (who: Person) => (await list(who, { kind: 'like' })).list;
const unread = async (who: Person) =>
  (await t.call('GET core/user/notice/unread', {}, { token: who.token })).data;
const mark = (who: Person, input: object) => t.call('PUT core/user/notice', input, { token: who.token });

/** Checks that every stored count equals the number of its rows. */
async function expectCountsMatchRows(): Promise<void> {
  const { rows } = await t.app.services.pool.query(`
    select user_id, kind from notice_counts
    full join (
      select notices.user_id, kind, count(*) as total,
        count(*) filter (where read_at is null and notices.position > read_to) as unread
      from notices join notice_boxes on notice_boxes.user_id = notices.user_id group by 1, 2
    ) as counted using (user_id, kind)
    where notice_counts.total is distinct from coalesce(counted.total, 0)
      or notice_counts.unread is distinct from coalesce(counted.unread, 0)`);
  expect(rows).toEqual([]);
  const wrong = await t.app.services.pool.query(
    'select id from notices where actors <> (select count(*) from notice_actors where notice_id = notices.id)',
  );
  expect(wrong.rows).toEqual([]);
}

test('keeps only the newest notice of a conversation', async () => {
  const [reader, lin, zhou] = (await registerUsers('读者', '林砚', '周野')) as [Person, Person, Person];
  const [chat, room] = [newId(), newId()];
  const say = (by: Person, id: string, excerpt: string) =>
    notifyUsers({
      userId: reader.user.id,
      kind: 'message',
      actorId: by.user.id,
      text: '给你发来私聊消息',
      target: { id, title: '', url: '/account/center.html?tab=chat' },
      excerpt,
    });
  const messages = async () =>
    (await list(reader, { kind: 'message' })).list.map(({ excerpt, read, count }) => [excerpt, read, count]);
  await say(lin, chat, '一');
  await say(lin, chat, '二');
  expect(await messages()).toEqual([['二', false, 1]]);
  expect((await unread(reader)).kinds.message).toBe(1);
  await mark(reader, { all: true });
  await say(zhou, room, '群里');
  await say(lin, chat, '三');
  expect(await messages()).toEqual([
    ['三', false, 1],
    ['群里', false, 1],
  ]);
  expect((await unread(reader)).kinds.message).toBe(2);
  await Promise.all([say(lin, chat, '同时'), say(lin, chat, '同时')]);
  expect(await messages()).toHaveLength(2);
  await expectCountsMatchRows();
});

test('groups actions on one target and counts all actors', async () => {
  const [author, lin, zhou, su, ye] = (await registerUsers('作者', '林砚', '周野', '苏禾', '叶知')) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ];
  const [one, other] = [essay('第一篇'), essay('第二篇')];
  const texts = async () => (await likesOf(author)).map((notice) => notice.text);
  await notifyUsers(like(author, lin, one));
  expect(await texts()).toEqual(['林砚 赞了你的文章《第一篇》']);
  await notifyUsers(like(author, zhou, one));
  expect(await texts()).toEqual(['周野、林砚 赞了你的文章《第一篇》']);
  await notifyUsers(like(author, su, other));
  await notifyUsers(like(author, su, one), like(author, ye, one), like(author, lin, one));
  expect(await texts()).toEqual(['叶知、苏禾 等 4 人赞了你的文章《第一篇》', '苏禾 赞了你的文章《第二篇》']);
  const [first] = await likesOf(author);
  expect(first).toMatchObject({
    count: 4,
    verb: '赞了你的文章',
    target: { title: '第一篇', url: one.url },
    excerpt: '',
    read: false,
  });
  expect(first?.actors.map((each) => each.displayName)).toEqual(['叶知', '苏禾', '周野']);
  expect((await unread(author)).kinds).toMatchObject({ like: 2, system: 1 });
  await expectCountsMatchRows();
});

test('starts a new group after the notice was read', async () => {
  const [author, lin, zhou] = (await registerUsers('作者', '林砚', '周野')) as [Person, Person, Person];
  const target = essay();
  await notifyUsers(like(author, lin, target));
  await mark(author, { ids: [(await likesOf(author))[0]?.id] });
  await notifyUsers(like(author, zhou, target));
  await mark(author, { all: true });
  await notifyUsers(like(author, lin, target));
  expect((await likesOf(author)).map(({ text, read }) => [text, read])).toEqual([
    ['林砚 赞了你的文章《标题》', false],
    ['周野 赞了你的文章《标题》', true],
    ['林砚 赞了你的文章《标题》', true],
  ]);
  expect((await unread(author)).kinds.like).toBe(1);
  await expectCountsMatchRows();
});

test('creates one notice per comment, with an excerpt', async () => {
  const [author, lin] = (await registerUsers('作者', '林砚')) as [Person, Person];
  const target = essay();
  const said = (excerpt: string): NewNotice => ({
    ...like(author, lin, target),
    kind: 'comment',
    text: '评论了你的文章',
    excerpt,
  });
  await notifyUsers(said('第一句'), said('第二句'));
  const { list: told } = await list(author, { kind: 'comment' });
  expect(told.map(({ text, excerpt, count }) => [text, excerpt, count])).toEqual([
    ['林砚 评论了你的文章《标题》', '第二句', 1],
    ['林砚 评论了你的文章《标题》', '第一句', 1],
  ]);
  await mark(author, { all: true });
  await removeFromNotices({ ...unlike(author, lin, target), kind: 'comment' });
  expect((await list(author, { kind: 'comment' })).total).toBe(0);
  await expectCountsMatchRows();
});

test('removes an undone action from the notice unless it was read', async () => {
  const [author, lin, zhou] = (await registerUsers('作者', '林砚', '周野')) as [Person, Person, Person];
  const target = essay();
  await notifyUsers(like(author, lin, target), like(author, zhou, target));
  await removeFromNotices(unlike(author, zhou, target));
  expect((await likesOf(author)).map((notice) => notice.text)).toEqual(['林砚 赞了你的文章《标题》']);
  await removeFromNotices(unlike(author, zhou, target));
  await removeFromNotices(unlike(author, lin, essay()));
  await expectCountsMatchRows();
  await removeFromNotices(unlike(author, lin, target));
  expect(await likesOf(author)).toEqual([]);
  expect((await unread(author)).kinds.like).toBe(0);
  await notifyUsers(like(author, lin, target));
  await mark(author, { all: true });
  await removeFromNotices(unlike(author, lin, target));
  expect(await likesOf(author)).toHaveLength(1);
  await expectCountsMatchRows();
});

test('skips own actions, blocked actors and kinds switched off', async () => {
  const [author, lin] = (await registerUsers('作者', '林砚')) as [Person, Person];
  const target = essay();
  await notifyUsers(like(author, author, target));
  await t.call('POST core/user/block', { userId: lin.user.id }, { token: author.token });
  await notifyUsers(like(author, lin, target));
  await notifyUsers({ ...like(author, lin, target), userId: newId() });
  expect(await likesOf(author)).toEqual([]);
  await t.call('DELETE core/user/block', { userId: lin.user.id }, { token: author.token });
  await t.call('PUT core/user/', { notify: { like: false } }, { token: author.token });
  await notifyUsers(like(author, lin, target), { userId: author.user.id, kind: 'system', text: '这个要听' });
  expect((await unread(author)).kinds).toMatchObject({ like: 0, system: 2 });
  await t.call('PUT core/user/', { notify: { like: true } }, { token: author.token });
  await notifyUsers(like(author, lin, target));
  expect((await unread(author)).kinds.like).toBe(1);
  await expectCountsMatchRows();
});

test('marks only the given notices of the user as read', async () => {
  const [mine, other] = (await registerUsers('甲', '乙')) as [Person, Person];
  await notifyUsers({ userId: mine.user.id, kind: 'audit', text: '通过了' });
  const ids = (await list(mine)).list.slice(0, 1).map((each) => each.id);
  await mark(other, { ids });
  expect((await unread(mine)).total).toBe(2);
  await mark(mine, { ids });
  await mark(mine, { ids });
  expect(await unread(mine)).toMatchObject({ total: 1, kinds: { audit: 0, system: 1 } });
  const me = await t.call('GET core/user/', {}, { token: mine.token });
  expect(me.data).toMatchObject({ unread: 1 });
  await mark(mine, { all: true });
  await mark(mine, { ids });
  expect((await unread(mine)).total).toBe(0);
  expect((await list(mine)).list.every((each) => each.read)).toBe(true);
  await notifyUsers({ userId: mine.user.id, kind: 'audit', text: '又通过了' });
  expect((await list(mine)).list.map((each) => each.read)).toEqual([false, true, true]);
  expect((await unread(mine)).total).toBe(1);
  await expectCountsMatchRows();
});

test('rejects a request without ids or all, and visitors', async () => {
  const { token } = await t.register();
  for (const input of [{}, { ids: ['x'] }, { all: false }]) {
    expect((await t.call('PUT core/user/notice', input, { token })).status).toBe(422);
  }
  expect((await t.call('PUT core/user/notice', { all: true })).status).toBe(401);
  expect((await t.call('GET core/user/notice/unread')).status).toBe(401);
});

test('keeps counts equal to rows with concurrent inserts, reads and removals', async () => {
  const authors = (await registerUsers('甲', '乙')) as [Person, Person];
  const readers = await Promise.all(Array.from({ length: 8 }, () => t.register()));
  const targets = [essay(), essay(), essay()];
  const deeds = Array.from({ length: 120 }, async (_, at) => {
    const author = authors[at % 2] as Person;
    const reader = readers[(at * 5) % 8] as Person;
    const target = targets[at % 3] as Target;
    if (at % 10 === 9) return mark(author, { all: true });
    if (at % 10 === 8)
      return mark(author, { ids: (await list(author)).list.slice(0, 3).map(({ id }) => id) });
    if (at % 3 === 2) return removeFromNotices(...authors.map((each) => unlike(each, reader, target)));
    return notifyUsers(...authors.toReversed().map((each) => like(each, reader, target)));
  });
  await Promise.all(deeds);
  await expectCountsMatchRows();
  const { rows } = await t.app.services.pool.query(
    `select 1 from notices join notice_boxes using (user_id) where read_at is null and notices.position > read_to
      and kind = 'like' group by user_id, target_id having count(*) > 1`,
  );
  expect(rows).toEqual([]);
});

test('removes deleted users from notices, and notices without actors', async () => {
  const [author, lin, zhou] = (await registerUsers('作者', '林砚', '周野')) as [Person, Person, Person];
  const [one, other] = [essay('第一篇'), essay('第二篇')];
  await notifyUsers(like(author, lin, one), like(author, zhou, one), like(author, zhou, other));
  await notifyUsers(like(zhou, author, other));
  await removeUsers(createDb(t.app.services.pool), [zhou.user.id]);
  expect((await likesOf(author)).map((notice) => notice.text)).toEqual(['林砚 赞了你的文章《第一篇》']);
  expect((await unread(author)).kinds.like).toBe(1);
  await expectCountsMatchRows();
});

test('pushes unread counts for a new, a grouped and a removed notice', async () => {
  const [author, lin] = (await registerUsers('作者', '林砚')) as [Person, Person];
  const received: UnreadCounts[] = [];
  openSocket(t, author.token).on('unread', (counts) => received.push(counts));
  await expect.poll(() => received.at(-1)?.total).toBe(1);
  const target = essay();
  await notifyUsers(like(author, lin, target));
  await expect.poll(() => received.at(-1)).toMatchObject({ total: 2, kinds: { like: 1 } });
  await removeFromNotices(unlike(author, lin, target));
  await expect.poll(() => received.at(-1)).toMatchObject({ total: 1, kinds: { like: 0 } });
});
