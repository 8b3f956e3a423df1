import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import type { TestUser } from '../../../testing/essays.ts';
import { expectPermissionRequired } from '../../../testing/permissions.ts';
import { createStaff, type StaffUser } from '../../../testing/staff.ts';
import { removeUsers } from '../../accounts/users/index.ts';
import { extendMembership, findEnabledPlan, grantInviteBonus } from './index.ts';
import { recalculateUntil } from './rules/members.ts';

let t: TestApp;
let staff: StaffUser;
beforeAll(async () => {
  t = await startTestApp();
  staff = await createStaff(t, ['plan:create', 'plan:update', 'plan:remove', 'member:list', 'member:update']);
});
afterAll(() => t.close());

const DAY = 86_400_000;
const ctx = () => systemCtx(t.app.services);
const now = () => t.app.services.clock().getTime();
const membership = async (token?: string, input: object = {}) =>
  (await t.call('GET core/member/', input, { token })).data;
const terms = async (token: string, input: object = {}) =>
  (await t.call('GET core/member/term', input, { token })).data.list;
const grant = (userId: string, days: number, token: string | undefined = staff.token) =>
  t.call('PUT core/member/user', { userId, days, reason: '读者活动' }, { token });
const members = async (input: object = {}, token: string | undefined = staff.token) =>
  (await t.call('GET core/member/user', input, { token })).data;
const daysLeft = async ({ token }: TestUser) => {
  const { mine } = await membership(token);
  return mine?.memberUntil == null ? 0 : (Date.parse(mine.memberUntil) - now()) / DAY;
};
const buy = (userId: string, orderId: string, days = 30) =>
  extendMembership(ctx(), { userId, days, source: 'order', orderId, reason: '月度会员' });
const refund = (userId: string, orderId: string, days = 30) =>
  extendMembership(ctx(), { userId, days: -days, source: 'refund', orderId, reason: '不想要了' });

test('returns the initial plans to everyone, and their own membership to users', async () => {
  const { plans, mine } = await membership();
  expect(mine).toBeNull();
  expect(plans.map(({ name, days, price }) => [name, days, price])).toEqual([
    ['月度会员', 30, 1500],
    ['季度会员', 90, 3900],
    ['年度会员', 365, 12_800],
  ]);
  const { token } = await t.register();
  expect((await membership(token)).mine).toEqual({ isMember: false, memberUntil: null });
});

test('staff can create, change, disable and remove plans; only enabled ones can be bought', async () => {
  const { token } = staff;
  const created = await t.call('POST core/member/', { name: '周会员', days: 7, price: 500 }, { token });
  expect(created.data).toMatchObject({ name: '周会员', days: 7, price: 500, sort: 40, enabled: 1 });
  const { id } = created.data;
  expect(await findEnabledPlan(ctx().db, id)).toMatchObject({ price: 500 });
  const changed = await t.call('PUT core/member/', { id, price: 600, enabled: 0 }, { token });
  expect(changed.data).toMatchObject({ name: '周会员', price: 600, enabled: 0 });
  expect(await findEnabledPlan(ctx().db, id)).toBeNull();
  const names = async (by?: string, all?: 1) =>
    (await membership(by, all === undefined ? {} : { all })).plans.map(({ name }) => name);
  expect(await names(token)).not.toContain('周会员');
  expect(await names(token, 1)).toContain('周会员');
  expect(await names((await t.register()).token, 1)).not.toContain('周会员');
  expect((await t.call('DELETE core/member/', { id }, { token })).success).toBe(true);
  expect((await t.call('DELETE core/member/', { id }, { token })).status).toBe(404);
  expect((await t.call('PUT core/member/', { id, price: 100 }, { token })).status).toBe(404);
  for (const input of [
    { days: 0 },
    { days: 1.5 },
    { price: 99 },
    { price: '500' },
    { price: 1e9 },
    { name: ' ' },
  ])
    expect(
      (await t.call('POST core/member/', { name: '周', days: 7, price: 500, ...input }, { token })).status,
      JSON.stringify(input),
    ).toBe(422);
});

test('days granted by staff extend the membership, notify the user and expire', async () => {
  const person = await t.register(undefined, { displayName: '陆舟' });
  const { data } = await grant(person.user.id, 10);
  expect(data).toMatchObject({ id: person.user.id, isMember: true });
  await grant(person.user.id, 5);
  expect(await daysLeft(person)).toBeCloseTo(15, 3);
  expect((await t.call('GET core/user/', {}, { token: person.token })).data).toMatchObject({
    isMember: true,
  });
  expect(await terms(person.token)).toMatchObject([
    { source: 'grant', days: 5, reason: '读者活动', by: { id: staff.user.id } },
    { source: 'grant', days: 10 },
  ]);
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token: person.token });
  expect(notices.data.list[0]).toMatchObject({ text: '你获赠了 5 天会员：读者活动' });
  expect((await members({ keyword: '陆舟' })).list).toMatchObject([{ id: person.user.id, isMember: true }]);
  expect((await members({ keyword: '陆舟', expired: 1 })).list).toEqual([]);
  t.advance(16 * DAY);
  expect((await membership(person.token)).mine).toMatchObject({ isMember: false });
  expect((await members({ keyword: '陆舟' })).list).toEqual([]);
  expect((await members({ keyword: '陆舟', expired: 1 })).total).toBe(1);
  await grant(person.user.id, 3);
  expect(await daysLeft(person)).toBeCloseTo(3, 3);
});

test('lists members by end date, page by page', async () => {
  const memberIds = [];
  for (const days of [200, 400, 300]) {
    const person = await t.register(undefined, { displayName: `翻页${days}` });
    await grant(person.user.id, days);
    memberIds.push(person.user.id);
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof members>> = await members({
      keyword: '翻页',
      pageSize: 1,
      ...(cursor === null ? {} : { cursor }),
    });
    expect(page.total).toBe(3);
    seen.push(...page.list.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(seen).toEqual([memberIds[1], memberIds[2], memberIds[0]]);
  const first = await members({ keyword: '翻页', sort: 'memberUntil', order: 0, pageSize: 1 });
  const rest = await members({
    keyword: '翻页',
    sort: 'memberUntil',
    order: 0,
    ...(first.next !== null && { cursor: first.next }),
  });
  expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual([
    memberIds[0],
    memberIds[2],
    memberIds[1],
  ]);
  const ending = await members({ keyword: '翻页', days: 301 });
  expect(ending.list.map(({ id }) => id)).toEqual([memberIds[2], memberIds[0]]);
  expect(await members({ keyword: '翻页', expired: 1, days: 366 })).toMatchObject({ total: 0 });
  expect((await t.call('GET core/member/user', { cursor: 'x' }, { token: staff.token })).status).toBe(422);
});

test('concurrent grants add up, and an order counts once', async () => {
  const person = await t.register();
  const orderId = newId();
  await Promise.all([grant(person.user.id, 5), grant(person.user.id, 7), buy(person.user.id, orderId)]);
  expect(await daysLeft(person)).toBeCloseTo(42, 3);
  expect(await Promise.all([buy(person.user.id, orderId), buy(person.user.id, orderId)])).toEqual([
    false,
    false,
  ]);
  expect(await daysLeft(person)).toBeCloseTo(42, 3);
});

test('a refund revokes the days of its order once, and keeps other days', async () => {
  const person = await t.register();
  const [first, second] = [newId(), newId()];
  await buy(person.user.id, first);
  await grant(person.user.id, 5);
  expect(await Promise.all([1, 2].map(() => refund(person.user.id, first)))).toEqual(
    expect.arrayContaining([true, false]),
  );
  expect(await daysLeft(person)).toBeCloseTo(5, 3);
  t.advance(10 * DAY);
  await buy(person.user.id, second);
  expect(await daysLeft(person)).toBeCloseTo(30, 3);
  await refund(person.user.id, second);
  expect((await membership(person.token)).mine?.isMember).toBe(false);
  expect((await terms(person.token)).map(({ source, days }) => [source, days])).toEqual([
    ['refund', -30],
    ['order', 30],
    ['refund', -30],
    ['grant', 5],
    ['order', 30],
  ]);
});

test('a refund of expired days does not shorten later ones', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * DAY);
  const term = (orderId: string, created: number, until: number) =>
    ({ orderId, source: 'order', days: 30, createdAt: day(created), until: day(until) }) as const;
  const lapsed = [term('a', 0, 30), term('b', 40, 70)];
  expect(recalculateUntil(lapsed, new Set(['a']))).toEqual(day(70));
  expect(recalculateUntil(lapsed, new Set(['b']))).toEqual(day(30));
  const stacked = [term('a', 0, 30), term('b', 10, 60)];
  expect(recalculateUntil(stacked, new Set(['a']))).toEqual(day(40));
  expect(recalculateUntil(stacked, new Set(['a', 'b']))).toEqual(day(0));
  // Days from before the first recorded term remain.
  expect(recalculateUntil([term('a', 0, 80)], new Set(['a']))).toEqual(day(50));
  expect(recalculateUntil([], new Set(['a']))).toBeNull();
});

test('the first payment of an invitee gives both users days, once', async () => {
  const inviter = await t.register();
  const invitee = await t.register(undefined, { inviteCode: inviter.user.inviteCode });
  await Promise.all([1, 2, 3].map(() => grantInviteBonus(ctx(), invitee.user.id)));
  await grantInviteBonus(ctx(), inviter.user.id);
  expect(await daysLeft(inviter)).toBeCloseTo(7, 3);
  expect(await daysLeft(invitee)).toBeCloseTo(7, 3);
  const another = await t.register(undefined, { inviteCode: inviter.user.inviteCode });
  await grantInviteBonus(ctx(), another.user.id);
  expect(await daysLeft(inviter)).toBeCloseTo(14, 3);
  for (const { token } of [inviter, invitee]) {
    const { data } = await t.call('GET core/user/notice', { kind: 'system' }, { token });
    expect(data.list[0]?.text).toContain('7 天会员');
  }
  await t.app.services.pool.query('update price_rules set invite_days = 0');
  const last = await t.register(undefined, { inviteCode: inviter.user.inviteCode });
  await grantInviteBonus(ctx(), last.user.id);
  expect(await daysLeft(last)).toBe(0);
  await t.app.services.pool.query('update price_rules set invite_days = 7');
});

test('deleted users receive no days, and their terms remain', async () => {
  const person = await t.register();
  const orderId = newId();
  await buy(person.user.id, orderId);
  await removeUsers(ctx().db, [person.user.id]);
  expect(await refund(person.user.id, orderId)).toBe(false);
  expect(await buy(person.user.id, newId())).toBe(false);
  await grantInviteBonus(ctx(), person.user.id);
  expect((await grant(person.user.id, 3)).status).toBe(404);
  expect(await terms(staff.token, { userId: person.user.id })).toMatchObject([{ source: 'order', days: 30 }]);
});

test('requires the right permission and valid input', async () => {
  const { token, user } = await t.register();
  const other = await t.register();
  await expectPermissionRequired(
    t,
    [
      ['plan:create', 'POST core/member/', { name: '周', days: 7, price: 500 }],
      ['plan:update', 'PUT core/member/', { id: user.id, price: 500 }],
      ['plan:remove', 'DELETE core/member/', { id: user.id }],
      ['member:list', 'GET core/member/user', {}],
      ['member:update', 'PUT core/member/user', { userId: user.id, days: 3, reason: '给我' }],
    ],
    [{ token }],
  );
  expect((await t.call('GET core/member/term')).status).toBe(401);
  expect((await t.call('GET core/member/term', { userId: other.user.id }, { token })).status).toBe(403);
  expect(await terms(token, { userId: user.id })).toEqual([]);
  for (const days of [0, -1, 1.5, 3661, '3'])
    expect((await grant(user.id, days as number)).status, String(days)).toBe(422);
  const noReason = { userId: user.id, days: 1, reason: ' ' };
  expect((await t.call('PUT core/member/user', noReason, { token: staff.token })).status).toBe(422);
});
