import { COMMENT_STATUS, FLAG, REPORT_STATUS } from '@mozhan/contract/enums.ts';
import { newId } from '../../db/id.ts';
import { systemCtx } from '../../jobs.ts';
import { type GuestComment, importGuestComments } from '../../modules/content/comments/index.ts';
import type { TestApp } from '../app.ts';
import type { PublishedEssays } from './essays.ts';
import { mustCall, type Users } from './helpers.ts';

/** Reads without a browser's user agent are not counted. */
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

export async function readEssays(t: TestApp, users: Users, published: PublishedEssays): Promise<void> {
  const { writer, second, reader, friend } = users;
  const { free, paid, forMembers, inColumn } = published;
  for (const [essayId, by, progress] of [
    [free, reader, 80],
    [free, friend, undefined],
    [paid, reader, 30],
    [inColumn, second, 100],
  ] as const)
    await mustCall(
      t,
      'POST core/essay/read',
      { essayId, ...(progress === undefined ? {} : { progress }) },
      { token: by.token, headers },
    );
  await mustCall(t, 'POST core/essay/read', { essayId: free }, { address: '203.0.113.9', headers });
  for (const by of [reader, friend, second]) await mustCall(t, 'POST core/essay/like', { essayId: free }, by);
  await mustCall(t, 'POST core/essay/like', { essayId: forMembers }, writer);
  const folder = await mustCall(t, 'POST core/user/folder', { name: '以后再看', isPublic: false }, reader);
  await mustCall(t, 'POST core/essay/collect', { essayId: free }, reader);
  await mustCall(t, 'POST core/essay/collect', { essayId: paid, folderId: folder.id }, reader);
  for (const by of [reader, second])
    await mustCall(t, 'POST core/essay/column/follow', { columnId: published.column }, by);
  await share(t, users, published);
  await comment(t, users, published);
  await highlight(t, users, published);
  await importGuests(t, users, published);
  await mustCall(t, 'PUT core/essay/pin', { id: free, pinned: true }, writer);
  await mustCall(t, 'PUT core/sys/essay/pin', { id: paid, pinned: true }, users.admin);
  for (const [tag, by] of [
    ['数据库', reader],
    ['PostgreSQL', reader],
    ['数据库', friend],
  ] as const)
    await mustCall(t, 'POST core/essay/tag/follow', { tag }, by);
  await mustCall(t, 'PUT core/user/home', {}, reader);
  for (const keyword of ['数据库', 'PostgreSQL']) await mustCall(t, 'GET core/essay/', { keyword }, reader);
  await mustCall(t, 'PUT core/user/notice', { all: true }, reader);
  await t.app.server.inject({
    url: `/essay/detail/${free}.html?utm_source=weekly`,
    headers: { ...headers, referer: 'https://www.baidu.com/link' },
  });
  const { url } = await mustCall(t, 'POST core/essay/download', { essayId: free, format: 'md' }, reader);
  await t.app.server.inject({ url });
}

async function share(t: TestApp, { reader, friend }: Users, { free, paid }: PublishedEssays): Promise<void> {
  const { code } = await mustCall(t, 'POST core/essay/share', { essayId: free, channel: 'link' }, reader);
  await mustCall(t, 'POST core/essay/share', { essayId: free, channel: 'wechat' }, reader);
  await mustCall(t, 'POST core/essay/share', { essayId: paid, channel: 'poster', prepare: true }, friend);
  await mustCall(t, 'POST core/essay/share/read', { code }, { token: friend.token, headers });
}

/** One private highlight, and one whose thought is public. */
async function highlight(t: TestApp, { reader, friend }: Users, { free }: PublishedEssays): Promise<void> {
  const { data: essay } = await t.call('GET core/essay/{id}', { id: free });
  const [words = ''] = />([^<>\s]{4,})</.exec(essay.html)?.slice(1) ?? [];
  const exact = words.slice(0, 20);
  await mustCall(t, 'POST core/essay/highlight', { essayId: free, exact, note: '记下来' }, reader);
  const { id: highlightId } = await mustCall(
    t,
    'POST core/essay/highlight',
    { essayId: free, exact },
    friend,
  );
  await mustCall(t, 'POST core/essay/cmt', { essayId: free, content: '说到这里', highlightId }, friend);
}

/** A guest's comment with a reply of a reader, and one that was deleted here. */
async function importGuests(
  t: TestApp,
  { admin, reader, writer }: Users,
  { free }: PublishedEssays,
): Promise<void> {
  const ctx = systemCtx(t.app.services);
  const guest = (foreignId: string, parentId: string | null, content: string): GuestComment => ({
    foreignId,
    parentId,
    name: '过路人',
    site: 'https://guest.example/',
    content,
    state: 'approved',
    createdAt: new Date('2019-05-01T08:00:00Z'),
  });
  await importGuestComments(ctx, {
    essayId: free,
    source: 'https://old.example/',
    transferId: newId(),
    importedAt: ctx.now,
    comments: [guest('1', null, '搬家以前说的'), guest('2', '1', '也是'), guest('3', null, '不要了')],
  });
  const { list } = await mustCall(t, 'GET core/sys/comment/', { guest: FLAG.on }, admin);
  const find = (content: string) => list.find((each) => each.content === content)?.id ?? '';
  const [cmtId, replyToId] = [find('搬家以前说的'), find('也是')];
  await mustCall(t, 'POST core/essay/cmt/reply', { cmtId, replyToId, content: '欢迎' }, reader);
  await mustCall(t, 'DELETE core/essay/cmt', { id: find('不要了') }, writer);
}

async function comment(t: TestApp, users: Users, { free, forMembers }: PublishedEssays): Promise<void> {
  const { auditor, writer, second, reader, friend, offender } = users;
  const addComment = (essayId: string, content: string, by: { token: string }, more: object = {}) =>
    mustCall(t, 'POST core/essay/cmt', { essayId, content, ...more }, by);
  const addReply = (cmtId: string, content: string, by: { token: string }, more: object = {}) =>
    mustCall(t, 'POST core/essay/cmt/reply', { cmtId, content, ...more }, by);
  const mentions = [second.user.id];
  const first = await addComment(free, '写得**很清楚**，@周二 也来看看', reader, { mentions });
  const reply = await addReply(first.id, '谢谢', writer);
  await addReply(first.id, '同问', friend, { replyToId: reply.id });
  for (const by of [writer, second, friend])
    await mustCall(t, 'POST core/essay/cmt/like', { id: first.id }, by);
  await mustCall(t, 'POST core/essay/cmt/like', { id: reply.id }, reader);
  await mustCall(
    t,
    'PUT core/essay/cmt',
    { id: first.id, content: '写得**非常清楚**，@周二', mentions },
    reader,
  );
  await mustCall(t, 'PUT core/essay/cmt', { id: first.id, pinned: true }, writer);
  // One comment per state: visible, masked, held, removed by staff, deleted with and without replies.
  await addComment(free, '这个词要打码：糟糕', friend);
  await addComment(free, '这个词要留着看：可疑', friend);
  const bad = await addComment(free, '骂人的话', offender);
  const report = { kind: 'comment', targetId: bad.id, reason: 'abuse' };
  await mustCall(t, 'POST core/user/report', report, reader);
  await mustCall(t, 'POST core/user/report', { ...report, detail: '难听' }, writer);
  const { list } = await mustCall(t, 'GET core/sys/report/', { kind: 'comment' }, auditor);
  await mustCall(
    t,
    'PUT core/sys/report/',
    { id: list[0]?.id, status: REPORT_STATUS.upheld, result: '已经移除' },
    auditor,
  );
  await mustCall(
    t,
    'PUT core/sys/comment/',
    { id: bad.id, status: COMMENT_STATUS.removed, reason: '骂人' },
    auditor,
  );
  const regretted = await addComment(forMembers, '说错了', friend);
  await addReply(regretted.id, '没有错', writer);
  await mustCall(t, 'DELETE core/essay/cmt', { id: regretted.id }, friend);
  await mustCall(t, 'DELETE core/essay/cmt', { id: (await addComment(free, '发错地方', friend)).id }, friend);
  await mustCall(t, 'POST core/user/report', { kind: 'essay', targetId: free, reason: 'other' }, offender);
}
