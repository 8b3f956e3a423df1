import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, publishEssay, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, createStaffWithRole, type StaffUser } from '../../../testing/staff.ts';

let t: TestApp;
let staff: StaffUser;
let writer: TestUser;
let essayId: string;
beforeAll(async () => {
  t = await startTestApp();
  staff = await createStaff(t, ['report:list', 'report:update']);
  writer = await createWriter(t, '林砚');
  essayId = await publishEssay(t, writer, { title: '可疑的文章' });
});
afterAll(() => t.close());

const report = (token: string | undefined, input: object) =>
  t.call('POST core/user/report', { reason: 'advertising', ...input }, { token });
const list = (input: object = {}, token: string | undefined = staff.token) =>
  t.call('GET core/sys/report/', { pageSize: 100, ...input }, { token });
const handle = (input: object, token: string | undefined = staff.token) =>
  t.call('PUT core/sys/report/', input, { token });
const listReportNotices = async (token: string) =>
  (await t.call('GET core/user/notice', { kind: 'system' }, { token })).data.list
    .map((each) => each.text)
    .filter((text) => text.includes('举报'));
const comment = async (token: string, content: string) =>
  (await t.call('POST core/essay/cmt', { essayId, content }, { token })).data.id;
const newest = async () => (await list()).data.list[0];

test('staff see and handle a report with its target, and the reporter is notified', async () => {
  const reader = await t.register(undefined, { displayName: '热心人' });
  expect(
    (await report(reader.token, { kind: 'essay', targetId: essayId, detail: '文末全是广告' })).success,
  ).toBe(true);
  const { data } = await list({ status: 0, kind: 'essay' });
  expect(data.total).toBe(1);
  expect(data.list[0]).toMatchObject({
    kind: 'essay',
    targetId: essayId,
    target: { title: '可疑的文章', url: `/essay/detail/${essayId}.html`, user: { displayName: '林砚' } },
    user: { displayName: '热心人' },
    reason: 'advertising',
    detail: '文末全是广告',
    status: 0,
    handledBy: null,
    others: 0,
  });
  const id = data.list[0]?.id;
  expect((await handle({ id, status: 1, result: '已请作者删去广告' })).success).toBe(true);
  expect(await listReportNotices(reader.token)).toEqual([
    '你对文章《可疑的文章》的举报属实，已处理：已请作者删去广告',
  ]);
  expect(await listReportNotices(writer.token)).toEqual([]);
  expect((await list({ status: 0 })).data.total).toBe(0);
  expect((await list({ status: 1 })).data.list[0]).toMatchObject({
    result: '已请作者删去广告',
    handledBy: { id: staff.user.id },
    handledAt: expect.any(String),
  });
  expect(await handle({ id, status: 2, result: '改主意了' })).toMatchObject({ errorCode: 'ALREADY_HANDLED' });
  expect((await report(reader.token, { kind: 'essay', targetId: essayId })).success).toBe(true);
  expect((await newest())?.status).toBe(0);
  await handle({ id: (await newest())?.id, status: 2, result: '没有发现广告' });
  expect((await listReportNotices(reader.token))[0]).toBe(
    '你对文章《可疑的文章》的举报经核实不属实：没有发现广告',
  );
});

test('accepts reports of comments and users, and shows deleted targets as missing', async () => {
  const reader = await t.register();
  const abuser = await t.register(undefined, { displayName: '爱骂人' });
  const commentId = await comment(abuser.token, '你写的什么玩意');
  await report(reader.token, { kind: 'comment', targetId: commentId, reason: 'abuse' });
  expect(await newest()).toMatchObject({
    kind: 'comment',
    target: {
      title: '你写的什么玩意',
      url: `/essay/detail/${essayId}.html#cmt-${commentId}`,
      user: { displayName: '爱骂人' },
    },
  });
  await report(reader.token, { kind: 'user', targetId: abuser.user.id, reason: 'abuse' });
  expect(await newest()).toMatchObject({
    kind: 'user',
    target: { title: '爱骂人', url: `/user/home/${abuser.user.id}.html`, user: { displayName: '爱骂人' } },
  });
  await t.call('DELETE core/essay/cmt', { id: commentId }, { token: abuser.token });
  const [gone] = (await list({ kind: 'comment' })).data.list;
  expect(gone?.target).toBeNull();
  expect((await handle({ id: gone?.id, status: 1, result: '作者已自行删除' })).success).toBe(true);
  expect((await listReportNotices(reader.token))[0]).toBe('你对评论的举报属实，已处理：作者已自行删除');
  await handle({ id: (await list({ status: 0 })).data.list[0]?.id, status: 2, result: '未违规' });
});

test('rejects own content, unknown targets and unknown reasons', async () => {
  const { token, user } = await t.register();
  const own = await comment(token, '我自己说的');
  for (const input of [
    { kind: 'user', targetId: user.id },
    { kind: 'comment', targetId: own },
  ])
    expect(await report(token, input)).toMatchObject({ errorCode: 'REPORT_SELF' });
  expect(await report(writer.token, { kind: 'essay', targetId: essayId })).toMatchObject({
    errorCode: 'REPORT_SELF',
  });
  const hidden = await submitEssay(t, writer);
  for (const input of [
    { kind: 'essay', targetId: 'f'.repeat(32) },
    { kind: 'essay', targetId: hidden },
    { kind: 'essay', targetId: user.id },
    { kind: 'comment', targetId: essayId },
    { kind: 'user', targetId: essayId },
    { kind: 'chat', targetId: essayId },
  ])
    expect(await report(token, input), JSON.stringify(input)).toMatchObject({
      status: 422,
      fields: { targetId: expect.stringContaining('没有找到') },
    });
  expect(await report(token, { kind: 'essay', targetId: essayId, reason: 'because' })).toMatchObject({
    status: 422,
    fields: { reason: '请选择理由' },
  });
  expect((await report(token, { kind: 'planet', targetId: essayId })).status).toBe(422);
  expect((await report(token, { kind: 'essay', targetId: essayId, detail: '长'.repeat(501) })).status).toBe(
    422,
  );
  expect((await list({ status: 0 })).data.total).toBe(0);
});

test('a user has one open report per target even with concurrent requests, and all are handled together once', async () => {
  const readers = [await t.register(), await t.register(), await t.register()];
  const input = { kind: 'essay', targetId: essayId };
  const responses = await Promise.all(
    readers.flatMap(({ token }) => [report(token, input), report(token, input)]),
  );
  expect(responses.every((each) => each.success)).toBe(true);
  const open = (await list({ status: 0 })).data.list;
  expect(open).toHaveLength(3);
  expect(open.map((each) => each.others)).toEqual([2, 2, 2]);
  const handled = await Promise.all(open.map(({ id }) => handle({ id, status: 2, result: '是正常的文章' })));
  expect(handled.filter((each) => each.success)).toHaveLength(1);
  expect(handled.filter((each) => each.errorCode === 'ALREADY_HANDLED')).toHaveLength(2);
  for (const { token } of readers) expect(await listReportNotices(token)).toHaveLength(1);
  expect((await list({ status: 0 })).data.total).toBe(0);
});

test('lists open reports oldest first and others newest first, in pages', async () => {
  const reader = await t.register();
  const targets = [await t.register(), await t.register(), await t.register()];
  for (const { user } of targets) await report(reader.token, { kind: 'user', targetId: user.id });
  const ids = (items: { targetId: string }[]) => items.map((each) => each.targetId);
  const users = targets.map(({ user }) => user.id);
  expect(ids((await list({ status: 0 })).data.list)).toEqual(users);
  const first = await list({ kind: 'user', pageSize: 2 });
  expect(ids(first.data.list)).toEqual([users[2], users[1]]);
  const next = await list({ kind: 'user', pageSize: 2, cursor: first.data.next ?? '' });
  expect(ids(next.data.list)[0]).toBe(users[0]);
});

test('visitors cannot report, and only staff with permission see and handle reports', async () => {
  expect((await report(undefined, { kind: 'essay', targetId: essayId })).status).toBe(401);
  const id = (await newest())?.id;
  const calls = [
    ['report:list', 'GET core/sys/report/', {}],
    ['report:update', 'PUT core/sys/report/', { id, status: 1, result: '好' }],
  ] as const;
  await expectPermissionRequired(t, calls, [writer]);
  for (const role of ['auditor', 'operator'])
    expect((await list({}, (await createStaffWithRole(t, role)).token)).status).toBe(200);
  expect((await handle({ id, status: 1, result: ' ' })).status).toBe(422);
  expect((await handle({ id: 'f'.repeat(32), status: 1, result: '好' })).status).toBe(404);
});

test('the notice does not reveal the title of a draft', async () => {
  const reader = await t.register();
  const targetId = await publishEssay(t, writer, { title: '人人见过的题目' });
  await report(reader.token, { kind: 'essay', targetId });
  await t.app.services.pool.query(`update essays set status = 0, title = '草稿的题目' where id = $1`, [
    targetId,
  ]);
  const id = (await list({ status: 0, kind: 'essay' })).data.list[0]?.id;
  expect((await handle({ id, status: 1, result: '已下架' })).success).toBe(true);
  expect(await listReportNotices(reader.token)).toEqual(['你对文章的举报属实，已处理：已下架']);
});

test('staff filter reports by user, reason, day and keyword, and reverse the order', async () => {
  const [reader, other] = [await t.register(), await t.register(undefined, { displayName: '被举报的人' })];
  await report(reader.token, { kind: 'user', targetId: other.user.id, detail: '冒充官方 100%' });
  await report(reader.token, { kind: 'essay', targetId: essayId, reason: 'other', detail: '标题夸张' });
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  const details = async (query: object) => (await list(query)).data.list.map((each) => each.detail);
  expect(await details({ userId: reader.user.id, status: 0 })).toEqual(['冒充官方 100%', '标题夸张']);
  expect(await details({ userId: reader.user.id, status: 0, sort: 'createdAt', order: 1 })).toEqual([
    '标题夸张',
    '冒充官方 100%',
  ]);
  expect(await details({ ownerId: other.user.id })).toEqual(['冒充官方 100%']);
  expect(await details({ userId: reader.user.id, reason: 'other' })).toEqual(['标题夸张']);
  expect(await details({ keyword: '官方 100%' })).toEqual(['冒充官方 100%']);
  expect(await details({ keyword: '官方 1_0%' })).toEqual([]);
  expect(await details({ userId: reader.user.id, from: today, to: today })).toHaveLength(2);
  expect(await details({ userId: reader.user.id, to: '2020-01-01' })).toEqual([]);
  const first = (await list({ userId: reader.user.id, sort: 'createdAt', order: 0, pageSize: 1 })).data;
  expect(first).toMatchObject({ total: 2, list: [{ detail: '冒充官方 100%' }] });
  const next = await list({ userId: reader.user.id, sort: 'createdAt', order: 0, cursor: first.next });
  expect(next.data.list.map((each) => each.detail)).toEqual(['标题夸张']);
  for (const wrong of [{ sort: 'reason' }, { from: '昨天' }, { userId: 'x' }])
    expect((await list(wrong)).status).toBe(422);
});
