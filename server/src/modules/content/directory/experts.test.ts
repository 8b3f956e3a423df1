import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, createStaffWithRole, type StaffUser } from '../../../testing/staff.ts';

let t: TestApp;
let clerk: StaffUser;
beforeAll(async () => {
  t = await startTestApp();
  clerk = await createStaff(t, ['apply:list', 'apply:update']);
});
afterAll(() => t.close());

const form = {
  realName: '林大砚',
  field: '数据库',
  intro: '写了十年数据库内核，想把踩过的坑讲给后来的人听。',
  works: ['https://lin.example/talks'],
  contact: 'lin@example.com',
};
const apply = (token?: string, more: object = {}) =>
  t.call('POST core/user/apply', { ...form, ...more }, { token });
const own = (token: string) => t.call('GET core/user/apply', {}, { token });
const list = (input: object, token: string | undefined = clerk.token) =>
  t.call('GET core/sys/apply/', input, { token });
const decide = (input: object, token: string | undefined = clerk.token) =>
  t.call('PUT core/sys/apply/', input, { token });
const notices = async (token: string) =>
  (await t.call('GET core/user/notice', { kind: 'system' }, { token })).data.list.map((each) => each.text);

test('an approved applicant gets a notice and may write immediately', async () => {
  const { token, user } = await t.register(undefined, { displayName: '林砚' });
  expect((await own(token)).data).toBeNull();
  expect((await t.call('POST core/essay/', { title: '还不行' }, { token })).status).toBe(403);
  const applied = await apply(token);
  expect(applied.data).toMatchObject({ ...form, status: 0, reason: '', decidedAt: null });
  expect((await own(token)).data).toEqual(applied.data);
  const { data } = await list({ status: 0 });
  expect(data.list.at(-1)).toMatchObject({
    ...form,
    user: { id: user.id, displayName: '林砚' },
    decidedBy: null,
  });
  const decided = await decide({ id: applied.data.id, status: 1 });
  expect(decided.data).toMatchObject({
    status: 1,
    user: { curIdentity: 2 },
    decidedBy: { id: clerk.user.id },
  });
  expect((await own(token)).data).toMatchObject({ status: 1, decidedAt: expect.any(String) });
  expect((await notices(token))[0]).toContain('已通过');
  expect((await t.call('GET core/user/public', { id: user.id })).data).toMatchObject({ curIdentity: 2 });
  expect((await t.call('POST core/essay/', { title: '第一篇' }, { token })).success).toBe(true);
  expect(await apply(token)).toMatchObject({ errorCode: 'ALREADY_WRITER' });
  expect(await decide({ id: applied.data.id, status: 2, reason: '晚了' })).toMatchObject({
    errorCode: 'ALREADY_HANDLED',
  });
});

test('a refused applicant gets the reason and may apply again', async () => {
  const { token } = await t.register();
  const { data } = await apply(token);
  expect(await decide({ id: data.id, status: 2 })).toMatchObject({
    status: 422,
    errorCode: 'REASON_REQUIRED',
    fields: { reason: expect.any(String) },
  });
  expect((await decide({ id: data.id, status: 2, reason: '请附上代表作' })).data).toMatchObject({
    status: 2,
  });
  expect((await own(token)).data).toMatchObject({ status: 2, reason: '请附上代表作' });
  expect((await notices(token))[0]).toContain('请附上代表作');
  const again = await apply(token);
  expect(again.data.status).toBe(0);
  expect((await own(token)).data?.id).toBe(again.data.id);
});

test('accepts one waiting application per user and one decision, also under concurrency', async () => {
  const { token } = await t.register();
  const responses = await Promise.all([apply(token), apply(token), apply(token)]);
  expect(responses.filter((each) => each.success)).toHaveLength(1);
  expect(responses.filter((each) => each.errorCode === 'APPLICATION_WAITING')).toHaveLength(2);
  const id = responses.find((each) => each.success)?.data.id;
  const decisions = await Promise.all([decide({ id, status: 1 }), decide({ id, status: 2, reason: '不行' })]);
  expect(decisions.map((each) => each.errorCode).sort()).toEqual(['ALREADY_HANDLED', undefined]);
  expect((await notices(token)).filter((text) => text.includes('申请'))).toHaveLength(1);
});

test('rejects visitors, writers and invalid forms', async () => {
  expect((await apply()).status).toBe(401);
  expect((await t.call('GET core/user/apply')).status).toBe(401);
  const writer = await createWriter(t);
  expect(await apply(writer.token)).toMatchObject({ errorCode: 'ALREADY_WRITER' });
  const { token } = await t.register();
  for (const [more, field] of [
    [{ intro: '太短' }, 'intro'],
    [{ realName: ' ' }, 'realName'],
    [{ works: ['javascript:alert(1)'] }, 'works'],
    [{ contact: '' }, 'contact'],
  ] as const) {
    const response = await apply(token, more);
    expect(response.status).toBe(422);
    expect(Object.keys(response.fields ?? {}).join()).toContain(field);
  }
  const admin = await t.signInAdmin();
  await t.call('POST core/sys/word/', { words: ['赌场直营'], level: 'refuse' }, { token: admin });
  expect(await apply(token, { field: '赌场直营' })).toMatchObject({ errorCode: 'WORDS_REFUSED' });
  expect((await own(token)).data).toBeNull();
});

test('only staff with the permission see and decide applications', async () => {
  const { token } = await t.register();
  const { data } = await apply(token);
  const calls = [
    ['apply:list', 'GET core/sys/apply/', {}],
    ['apply:update', 'PUT core/sys/apply/', { id: data.id, status: 1 }],
  ] as const;
  await expectPermissionRequired(t, calls, [{ token }]);
  for (const role of ['auditor', 'operator'])
    expect((await list({}, (await createStaffWithRole(t, role)).token)).status).toBe(200);
  expect((await decide({ id: 'f'.repeat(32), status: 1 })).status).toBe(404);
});

test('sorts waiting applications oldest first and decided ones newest first', async () => {
  const users = [await t.register(), await t.register(), await t.register()];
  const ids: string[] = [];
  for (const { token } of users) ids.push((await apply(token)).data.id);
  const waiting = (await list({ status: 0, pageSize: 100 })).data.list.map((each) => each.id);
  expect(waiting.slice(-3)).toEqual(ids);
  for (const id of ids) await decide({ id, status: 2, reason: '名额已满' });
  const first = await list({ status: 2, pageSize: 2 });
  expect(first.data.list.map((each) => each.id)).toEqual([ids[2], ids[1]]);
  const next = await list({ status: 2, pageSize: 2, cursor: first.data.next ?? '' });
  expect(next.data.list[0]?.id).toBe(ids[0]);
});

test('finds applications by account name or real name, in both orders', async () => {
  const person = await t.register(undefined, { displayName: '找得到' });
  const other = await t.register();
  const ids = [
    (await apply(person.token, { realName: '欧阳%一' })).data.id,
    (await apply(other.token, { realName: '欧阳二' })).data.id,
  ];
  const found = async (input: object) => (await list(input)).data.list.map(({ id }) => id);
  expect(await found({ keyword: '欧阳' })).toEqual([ids[1], ids[0]]);
  expect(await found({ keyword: '欧阳', sort: 'createdAt', order: 0 })).toEqual(ids);
  expect(await found({ keyword: '欧阳', status: 0, order: 1 })).toEqual([ids[1], ids[0]]);
  expect(await found({ keyword: '欧阳%' })).toEqual([ids[0]]);
  expect(await found({ keyword: '找得' })).toEqual([ids[0]]);
  expect(await found({ keyword: '欧阳', to: '2020-01-01' })).toEqual([]);
});

test('the operation log contains the decision but no personal data', async () => {
  const { token } = await t.register();
  const { data } = await apply(token, { contact: 'secret-contact@example.com', realName: '不可外传' });
  await decide({ id: data.id, status: 1 });
  const { rows } = await t.app.services.pool.query(
    "select * from operations where call = 'PUT core/sys/apply/' and target = $1",
    [`apply:${data.id}`],
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/secret-contact|不可外传/);
  expect(rows[0]).toMatchObject({ before: { status: 0 }, after: { status: 1 } });
});
