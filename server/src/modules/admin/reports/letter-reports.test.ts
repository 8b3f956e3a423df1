import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createStaff, type StaffUser } from '../../../testing/staff.ts';

let t: TestApp;
let staff: StaffUser;
let handler: StaffUser;
let plainStaff: StaffUser;
beforeAll(async () => {
  t = await startTestApp();
  staff = await createStaff(t, ['report:list']);
  handler = await createStaff(t, ['report:list', 'report:update']);
  plainStaff = await createStaff(t, ['comment:list']);
});
afterAll(() => t.close());

type Person = Awaited<ReturnType<TestApp['register']>>;

async function write(from: Person, to: Person, content: string, more: object = {}) {
  const input = { toUserId: to.user.id, content, ...more };
  return (await t.call('POST core/essay/pri/msg', input, { token: from.token })).data;
}
const report = (token: string | undefined, targetId: string) =>
  t.call(
    'POST core/user/report',
    { kind: 'letter', targetId, reason: 'abuse', detail: '不停来信' },
    { token },
  );
const list = (token: string | undefined) =>
  t.call('GET core/sys/report/', { kind: 'letter', pageSize: 100 }, { token });
const noticesOf = async ({ token }: Person) =>
  (await t.call('GET core/user/notice', { kind: 'system' }, { token })).data.list.map(({ text }) => text);

/** A thread of five letters; the fourth is the one to report. */
async function createThread() {
  const [sender, recipient] = [
    await t.register(undefined, { displayName: '来信的人' }),
    await t.register(undefined, { displayName: '收信的人' }),
  ];
  const first = await write(sender, recipient, '第一封', { subject: '一件事' });
  const reply = (from: Person, to: Person, text: string) => write(from, to, text, { parentId: first.id });
  await reply(recipient, sender, '第二封');
  await reply(sender, recipient, `第三封${'长'.repeat(400)}`);
  const bad = await reply(sender, recipient, `骂人的话${'很长'.repeat(400)}`);
  await reply(recipient, sender, '第五封');
  await reply(sender, recipient, '第六封');
  return { sender, recipient, first, bad };
}

test('staff see the reported letter and a little context, and nothing else of the thread', async () => {
  const { sender, recipient, bad } = await createThread();
  const told = await noticesOf(sender);
  expect((await report(recipient.token, bad.id)).success).toBe(true);
  const [row] = (await list(staff.token)).data.list;
  expect(row).toMatchObject({
    kind: 'letter',
    reason: 'abuse',
    user: { displayName: '收信的人' },
    target: { title: bad.content, user: { displayName: '来信的人' }, chat: null },
  });
  const { subject, letters = [] } = row?.target?.letter ?? {};
  expect(subject).toBe('一件事');
  expect(letters.map(({ isReported, isByReporter }) => [isReported, isByReporter])).toEqual([
    [false, true],
    [false, false],
    [true, false],
    [false, true],
  ]);
  expect(letters.map(({ content }) => content.slice(0, 3))).toEqual(['第二封', '第三封', '骂人的', '第五封']);
  expect(letters[1]?.content).toHaveLength(300);
  expect(letters[2]?.content).toBe(bad.content);

  const handled = await t.call(
    'PUT core/sys/report/',
    { id: row?.id, status: 1, result: '已提醒对方' },
    { token: handler.token },
  );
  expect(handled.success).toBe(true);
  expect((await noticesOf(recipient))[0]).toBe('你对私信的举报属实，已处理：已提醒对方');
  expect(await noticesOf(sender), 'the reported person is not told').toEqual(told);
});

test('only the recipient can report a letter, and only staff with the permission see it', async () => {
  const { sender, recipient, bad } = await createThread();
  const stranger = await t.register();
  expect((await report(undefined, bad.id)).status).toBe(401);
  expect(await report(sender.token, bad.id)).toMatchObject({ errorCode: 'REPORT_SELF' });
  for (const { token } of [stranger, staff])
    expect(await report(token, bad.id)).toMatchObject({
      status: 422,
      fields: { targetId: '没有找到要举报的私信' },
    });
  expect((await report(recipient.token, bad.threadId)).status).toBe(422);
  expect((await report(recipient.token, bad.id)).success).toBe(true);
  expect((await report(recipient.token, bad.id)).success, 'a second time changes nothing').toBe(true);
  const { list: rows } = (await list(staff.token)).data;
  expect(rows.filter(({ targetId }) => targetId === bad.id)).toHaveLength(1);
  expect((await list(undefined)).status).toBe(401);
  for (const { token } of [stranger, sender, recipient, plainStaff])
    expect((await list(token)).status).toBe(403);
  const input = { id: rows[0]?.id, status: 1, result: '好' };
  for (const { token } of [staff, plainStaff, recipient])
    expect((await t.call('PUT core/sys/report/', input, { token })).status).toBe(403);
});

test('the evidence stays when the thread is deleted, and a deleted letter cannot be reported', async () => {
  const { recipient, first, bad } = await createThread();
  await report(recipient.token, bad.id);
  await t.call('DELETE core/essay/pri/msg', { threadId: bad.threadId }, { token: recipient.token });
  expect((await report(recipient.token, first.id)).status).toBe(422);
  await t.app.services.pool.query('delete from letter_threads where id = $1', [bad.threadId]);
  const row = (await list(staff.token)).data.list.find(({ targetId }) => targetId === bad.id);
  expect(row?.target?.title).toBe(bad.content);
  const { rows } = await t.app.services.pool.query('select evidence from reports where target_id = $1', [
    bad.id,
  ]);
  expect(JSON.stringify(rows), 'the evidence names nobody').not.toContain(recipient.user.id);
});
