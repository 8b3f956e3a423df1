import { FLAG } from '@mozhan/contract/enums.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { commentCalls, contentsOf, expectCorrectCounters } from '../../../testing/comments.ts';
import { createWriter, publishEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaff, type StaffUser } from '../../../testing/staff.ts';
import { type GuestComment, importGuestComments, purgeComments, removeImportedComments } from './index.ts';
import { cleanGuestName, cleanGuestSite } from './rules.ts';

let t: TestApp;
let c: ReturnType<typeof commentCalls>;
let author: TestUser;
let reader: TestUser;
let staff: StaffUser;
beforeAll(async () => {
  t = await startTestApp();
  c = commentCalls(t);
  author = await createWriter(t, '林砚');
  reader = await t.register(undefined, { displayName: '周野' });
  staff = await createStaff(t, ['comment:list', 'comment:update', 'report:list']);
  await c.addSensitiveWord('赌博', 'refuse');
  await c.addSensitiveWord('加群', 'hold');
  await c.addSensitiveWord('笨蛋', 'mask');
});
afterAll(() => t.close());

const SOURCE = 'https://old.example/';
const DAY = 86_400_000;
const START = Date.parse('2018-03-01T10:00:00Z');

/** The id of a comment is its position, from 1; `parent` is that of another one. */
const guest = (content: string, parent: number | null = null, more: Partial<GuestComment> = {}) => ({
  parentId: parent === null ? null : String(parent),
  name: `访客${content}`,
  site: '',
  content,
  state: 'approved' as const,
  ...more,
});

function importThread(
  essayId: string,
  comments: ReturnType<typeof guest>[],
  { transferId = newId(), source = SOURCE } = {},
) {
  const ctx = systemCtx(t.app.services);
  return importGuestComments(ctx, {
    essayId,
    source,
    transferId,
    importedAt: ctx.now,
    comments: comments.map((each, index) => ({
      foreignId: String(index + 1),
      createdAt: new Date(START + index * DAY),
      ...each,
    })),
  });
}

const thread = [guest('甲'), guest('乙', 1), guest('丙', 2), guest('丁', 3), guest('戊')];

/** `甲(乙 丙@乙)`: comments with their replies and the names replied to. */
async function outline(essayId: string, token?: string): Promise<string> {
  const { data } = await c.list(essayId, token);
  const parts = await Promise.all(
    data.list.map(async (comment) => {
      const { data } = await c.replies(comment.id, token);
      const replies = data.list.map(
        (each) => each.content + (each.replyTo === null ? '' : `@${each.replyTo.displayName}`),
      );
      return comment.content + (replies.length === 0 ? '' : `(${replies.join(' ')})`);
    }),
  );
  return parts.join(' ');
}

test('imports threads of any depth in two levels, with names, times and order', async () => {
  const essayId = await publishEssay(t, author);
  const before = (await c.notices(author.token)).length;
  const result = await importThread(essayId, thread);
  expect(result).toEqual({ created: 5, held: 0, existing: 0, spam: 0, refused: 0 });
  expect(await outline(essayId)).toBe('戊 甲(乙 丙@访客乙 丁@访客丙)');
  const { list } = (await c.list(essayId, reader.token)).data;
  expect(list[1]).toMatchObject({
    user: { id: null, displayName: '访客甲', headImg: '', isMember: false, title: '', site: '' },
    createdAt: '2018-03-01T10:00:00.000Z',
    isAuthor: false,
    edited: false,
    mine: { canEdit: false, canRemove: false, canPin: false },
  });
  expect(list[1]?.replies[1]?.replyTo).toMatchObject({ id: null, displayName: '访客乙' });
  expect((await c.notices(author.token)).length).toBe(before);
  expect(await c.cmtCount(essayId)).toBe(5);
  await expectCorrectCounters(t);
});

test('imports the same source once, and attaches later replies to earlier threads', async () => {
  const essayId = await publishEssay(t, author);
  await importThread(essayId, thread.slice(0, 2));
  expect(await importThread(essayId, thread)).toMatchObject({ created: 3, existing: 2 });
  expect(await importThread(essayId, thread)).toMatchObject({ created: 0, existing: 5 });
  expect(await outline(essayId)).toBe('戊 甲(乙 丙@访客乙 丁@访客丙)');
  // Two imports at the same time import everything once.
  const other = await publishEssay(t, author);
  await Promise.all([importThread(other, thread), importThread(other, thread)]);
  expect(await c.cmtCount(other)).toBe(5);
  // A comment that was deleted here does not come back, one of another site does come.
  const [newest] = (await c.list(other)).data.list;
  await c.remove(newest?.id ?? '', author.token);
  expect(await importThread(other, thread)).toMatchObject({ created: 0, existing: 5 });
  expect(await outline(other)).toBe('甲(乙 丙@访客乙 丁@访客丙)');
  expect(await importThread(other, thread.slice(0, 1), { source: 'https://other.example/' })).toMatchObject({
    created: 1,
  });
  await expectCorrectCounters(t);
});

test('holds what was not approved, leaves out spam, and moves its replies up', async () => {
  const essayId = await publishEssay(t, author);
  const result = await importThread(essayId, [
    guest('甲'),
    guest('广告', 1, { state: 'spam' }),
    guest('回广告', 2),
    guest('等着', null, { state: 'pending' }),
    guest('回等着的', 4),
    guest('垃圾箱', null, { state: 'trash' }),
    guest('来赌博'),
    guest('加群吧'),
    guest('你这笨蛋', null, { name: '大笨蛋' }),
    guest('   '),
    guest('长'.repeat(10_001)),
    guest('回不存在的', 99),
    guest('圈一', 14),
    guest('圈二', 13),
  ]);
  expect(result).toEqual({ created: 9, held: 2, existing: 0, spam: 2, refused: 3 });
  expect(await outline(essayId)).toBe('圈一(圈二) 回不存在的 你这＊＊ (回等着的) 甲(回广告)');
  const masked = (await c.list(essayId)).data.list.find((each) => each.content === '你这＊＊');
  expect(masked?.user?.displayName).toBe('大＊＊');
  const held = await t.call('GET core/sys/comment/', { status: 1, essayId }, { token: staff.token });
  expect(contentsOf(held.data.list as never).sort()).toEqual(['加群吧', '等着']);
  const waiting = held.data.list.find(({ content }) => content === '等着');
  const approved = await c.moderate(waiting?.id ?? '', 0, staff.token);
  expect(approved.data).toMatchObject({ status: 0, user: { id: null, displayName: '访客等着' } });
  expect(await outline(essayId)).toContain('等着(回等着的)');
  await expectCorrectCounters(t);
});

test('keeps closed comments closed and clamps times that lie ahead', async () => {
  const essayId = await publishEssay(t, author, { allowComment: false });
  const future = new Date(Date.now() + 365 * DAY);
  await importThread(essayId, [guest('甲', null, { createdAt: future })]);
  const [comment] = (await c.list(essayId)).data.list;
  expect(Date.parse(comment?.createdAt ?? '')).toBeLessThanOrEqual(Date.now());
  const reply = await c.reply(comment?.id ?? '', '还能说吗', reader.token);
  expect(reply.errorCode).toBe('COMMENTS_CLOSED');
});

test('a mapped user is the writer of what they wrote elsewhere', async () => {
  const essayId = await publishEssay(t, author);
  await importThread(essayId, [
    guest('甲'),
    { ...guest('谢谢', 1), userId: author.user.id },
    guest('不谢', 2),
  ]);
  const [comment] = (await c.list(essayId)).data.list;
  expect(comment?.replies).toMatchObject([
    { user: { id: author.user.id }, isAuthor: true },
    { user: { id: null }, replyTo: { id: author.user.id } },
  ]);
});

test('a guest is replied to, liked, pinned, reported and removed like a user, without notices', async () => {
  const essayId = await publishEssay(t, author);
  await importThread(essayId, thread.slice(0, 3));
  const [root] = (await c.list(essayId)).data.list;
  const cmtId = root?.id ?? '';
  const replyToId = root?.replies[1]?.id ?? '';
  const before = (await c.notices(author.token)).length;
  const reply = await c.reply(cmtId, '说得对', reader.token, { replyToId });
  expect(reply.data).toMatchObject({ replyTo: { id: null, displayName: '访客丙' } });
  expect((await c.reply(cmtId, '同意', reader.token)).data.replyTo).toBeNull();
  expect((await c.like(cmtId, reader.token)).data).toEqual({ liked: true, likeCount: 1 });
  expect((await c.unlike(cmtId, reader.token)).data).toEqual({ liked: false, likeCount: 0 });
  expect((await c.notices(author.token)).length).toBe(before);
  expect((await c.edit(cmtId, { pinned: true }, reader.token)).errorCode).toBe('FORBIDDEN');
  expect((await c.edit(cmtId, { pinned: true }, author.token)).data).toMatchObject({ pinned: true });
  expect((await c.edit(cmtId, { content: '改' }, reader.token)).errorCode).toBe('FORBIDDEN');
  const report = { kind: 'comment', targetId: cmtId, reason: 'abuse' } as const;
  expect((await t.call('POST core/user/report', report)).status).toBe(401);
  expect((await t.call('POST core/user/report', report, { token: reader.token })).success).toBe(true);
  const reports = await t.call('GET core/sys/report/', { kind: 'comment' }, { token: staff.token });
  expect(reports.data.list[0]?.target?.user).toMatchObject({ id: null, displayName: '访客甲' });
  expect((await c.remove(cmtId)).status).toBe(401);
  expect((await c.remove(cmtId, reader.token)).errorCode).toBe('FORBIDDEN');
  expect((await c.remove(cmtId, staff.token)).success).toBe(true);
  expect((await c.list(essayId)).data.list[0]).toMatchObject({ deleted: true, user: null, content: '' });
  expect((await c.moderate(cmtId, 0, staff.token)).success).toBe(true);
  // The author deletes it: a tombstone without a name stays for the replies.
  expect((await c.remove(cmtId, author.token)).success).toBe(true);
  const { rows } = await t.app.services.pool.query('select guest_name from comments where id = $1', [cmtId]);
  expect(rows).toEqual([{ guest_name: '' }]);
  // The name disappears with the reply that it belongs to.
  expect((await c.removeReply(replyToId, author.token)).success).toBe(true);
  const { list } = (await c.replies(cmtId)).data;
  expect(list.find(({ content }) => content === '说得对')?.replyTo).toBeNull();
  await expectCorrectCounters(t);
});

test('staff find guests by filter and name; blocks and closed accounts do not hide them', async () => {
  const essayId = await publishEssay(t, author);
  await importThread(essayId, [guest('甲', null, { name: '云游的人' }), guest('乙', 1)]);
  const own = await c.addComment(essayId, '我也说一句', reader.token);
  const list = async (query: object, token = staff.token) =>
    t.call('GET core/sys/comment/', { essayId, ...query }, { token });
  expect(contentsOf((await list({})).data.list as never)).toEqual(['我也说一句', '乙', '甲']);
  expect(contentsOf((await list({ guest: FLAG.on })).data.list as never)).toEqual(['乙', '甲']);
  expect(contentsOf((await list({ keyword: '云游' })).data.list as never)).toEqual(['甲']);
  expect((await list({}, reader.token)).status).toBe(403);
  const other = await t.register();
  await c.reply((await c.list(essayId)).data.list[1]?.id ?? '', '再说一句', other.token);
  await c.block(other.user.id, reader.token);
  expect(await outline(essayId, reader.token)).toBe('我也说一句 甲(乙)');
  const ctx = systemCtx(t.app.services);
  await purgeComments(ctx, [reader.user.id, other.user.id]);
  expect(await outline(essayId)).toBe('甲(乙)');
  expect(own.success).toBe(true);
  await expectCorrectCounters(t);
});

test('an undo removes what a transfer brought, except what was replied to since', async () => {
  const someone = await t.register();
  const essayId = await publishEssay(t, author);
  const transferId = newId();
  const ctx = systemCtx(t.app.services);
  await importThread(essayId, [...thread, guest('己'), guest('庚', 6)], { transferId });
  const { list } = (await c.list(essayId)).data;
  const root = list.find(({ content }) => content === '甲');
  const target = root?.replies.find(({ content }) => content === '丙');
  await c.reply(root?.id ?? '', '后来说的', someone.token, { replyToId: target?.id });
  // Another transfer is untouched.
  await importThread(essayId, [guest('别处', null, { createdAt: new Date('2024-06-01T00:00:00Z') })], {
    source: 'https://other.example/',
  });
  const { removed, keptIds } = await removeImportedComments(ctx, { transferId, essayId });
  expect(removed).toBe(5);
  expect(keptIds.toSorted()).toEqual([root?.id, target?.id].toSorted());
  expect(await outline(essayId)).toBe('别处 甲(丙 后来说的@访客丙)');
  await expectCorrectCounters(t);
  // What was removed can be imported again; what was kept is not doubled.
  expect(await importThread(essayId, thread)).toMatchObject({ created: 3, existing: 2 });
  await expectCorrectCounters(t);
});

test('cleans names and sites', () => {
  expect(cleanGuestName('  张\u0000三\n\u202e ')).toBe('张 三');
  expect(cleanGuestName('zhang@mail.example')).toBe('zhang');
  expect(cleanGuestName('\u0007')).toBe('匿名');
  expect([...cleanGuestName('𠮷'.repeat(80))]).toHaveLength(50);
  expect(cleanGuestSite('https://user:secret@blog.example/a')).toBe('https://blog.example/a');
  for (const bad of [
    '',
    'javascript:alert(1)',
    'mailto:a@b.example',
    'blog.example',
    `https://a/${'a'.repeat(400)}`,
  ])
    expect(cleanGuestSite(bad)).toBe('');
});
