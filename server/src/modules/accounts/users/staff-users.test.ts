import type { Input } from '@mozhan/contract/client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chinaDayOf } from '../../../day.ts';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';

type UserQuery = Input<'GET core/sys/user/'>;

let t: TestApp;
let token: string;
/** User ids in the order of registration. */
const ids: string[] = [];
beforeAll(async () => {
  t = await startTestApp();
  token = (await createStaff(t, ['user:list', 'user:update'])).token;
  for (const displayName of ['甲', '乙', '丙', '丁']) {
    const { user } = await t.register(uniqueName(), { displayName: `${displayName}某` });
    ids.push(user.id);
  }
  // Two users have equal counters, so their ids decide.
  await t.app.services.pool.query(
    `update users set essay_count = nth % 3, follower_count = nth / 2, read_count = 10 - nth,
       cur_identity = case when nth < 3 then 2 else 1 end,
       member_until = case nth when 1 then now() + interval '1 day' when 2 then now() - interval '1 day' end
     from unnest($1::uuid[]) with ordinality as each (user_id, nth) where users.id = user_id`,
    [ids],
  );
  await t.app.services.pool.query('update accounts set enabled = false where user_id = $1', [ids[3]]);
});
afterAll(() => t.close());

const list = (query: UserQuery) => t.call('GET core/sys/user/', query, { token });

/** Returns the indexes of the test users, reading one per page by cursor. */
async function listByCursor(query: UserQuery): Promise<number[]> {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await list({ ...query, pageSize: 1, ...(cursor !== undefined && { cursor }) });
    found.push(...data.list.map(({ id }) => id));
    cursor = data.next;
  }
  return found.map((id) => ids.indexOf(id) + 1).filter((nth) => nth > 0);
}

test('sorts by every counter in both orders by page, then by id', async () => {
  expect(await listByCursor({ sort: 'createdAt', order: 0 })).toEqual([1, 2, 3, 4]);
  expect(await listByCursor({})).toEqual([4, 3, 2, 1]);
  expect(await listByCursor({ sort: 'reads', order: 1 })).toEqual([1, 2, 3, 4]);
  expect(await listByCursor({ sort: 'essays', order: 1 })).toEqual([2, 4, 1, 3]);
  expect(await listByCursor({ sort: 'followers', order: 0 })).toEqual([1, 2, 3, 4]);
  const { data } = await list({ sort: 'reads', order: 1, pageSize: 1 });
  expect(data.list[0]).toMatchObject({ id: ids[0], counters: { reads: 9, essays: 1, followers: 0 } });
});

test('filters by identity, membership, enabled and registration day', async () => {
  expect(await listByCursor({ curIdentity: 2 })).toEqual([2, 1]);
  expect(await listByCursor({ isMember: 1 })).toEqual([1]);
  expect(await listByCursor({ isMember: 0, curIdentity: 2 })).toEqual([2]);
  expect(await listByCursor({ enabled: 0 })).toEqual([4]);
  expect(await listByCursor({ enabled: 1, sort: 'reads', order: 0 })).toEqual([3, 2, 1]);
  expect(await listByCursor({ keyword: '丙', enabled: 1 })).toEqual([3]);
  const today = chinaDayOf(new Date());
  expect(await listByCursor({ from: today, to: today })).toEqual([4, 3, 2, 1]);
  expect(await listByCursor({ to: '2020-01-01' })).toEqual([]);
});

test('rejects invalid filters, orders and cursors', async () => {
  for (const wrong of [{ sort: 'password' }, { from: '2026-13-01' }, { curIdentity: 3 }, { isMember: 2 }]) {
    const response = await t.call('GET core/sys/user/', wrong, { token });
    expect([response.status, Object.keys(response.fields ?? {})]).toEqual([422, Object.keys(wrong)]);
  }
  const { data } = await list({ pageSize: 1 });
  // A cursor of the order by time, used with an order by counter.
  const mixed = await list({ sort: 'reads', ...(data.next !== null && { cursor: data.next }) });
  expect(mixed).toMatchObject({ status: 422, fields: { cursor: expect.any(String) } });
  expect((await list({ pageSize: 1, cursor: data.next ?? '' })).status).toBe(200);
});

test('returns the details of a user to staff with the list permission', async () => {
  const operator = await createStaffWithRole(t, 'operator');
  const { user } = await t.register(uniqueName(), { inviteCode: operator.user.inviteCode });
  await t.app.services.pool.query(`update users set bio = '写字的人' where id = $1`, [user.id]);
  const read = (id: string, token?: string) => t.call('GET core/sys/user/detail', { id }, { token });
  expect((await read(user.id, operator.token)).data).toMatchObject({
    id: user.id,
    bio: '写字的人',
    roles: [],
    invitedBy: { id: operator.user.id },
  });
  expect((await read(operator.user.id, operator.token)).data.roles).toMatchObject([{ name: '运营' }]);
  expect((await read('0'.repeat(32), operator.token)).status).toBe(404);
  expect((await read(user.id)).status).toBe(401);
  expect((await read(user.id, (await t.register()).token)).status).toBe(403);
});

test('clears abusive profile fields with a log entry and a notice, but not of stronger staff', async () => {
  const person = await t.register(uniqueName(), { displayName: '骂人的名字' });
  const { id } = person.user;
  await t.call('PUT core/user/', { bio: '骂人的话' }, { token: person.token });
  const response = await t.call('PUT core/sys/user/', { id, clear: ['displayName', 'bio'] }, { token });
  expect(response.data.displayName).toBe(`用户${id.slice(-6)}`);
  expect((await t.call('GET core/user/', {}, { token: person.token })).data).toMatchObject({ bio: '' });
  const told = await t.call('GET core/user/notice', {}, { token: person.token });
  expect(JSON.stringify(told.data)).toContain('你的昵称、简介不符合社区规范');
  const log = await t.call('GET core/sys/log/', { target: `user:${id}` }, { token: await t.signInAdmin() });
  expect(log.data).toMatchObject({
    total: 1,
    list: [
      {
        before: { displayName: '骂人的名字', bio: '骂人的话' },
        after: { displayName: `用户${id.slice(-6)}`, bio: '' },
      },
    ],
  });
  const wrong = await t.call('PUT core/sys/user/', { id, clear: ['password'] }, { token });
  expect(wrong.status).toBe(422);
  const above = (await createStaffWithRole(t, 'super')).user;
  expect((await t.call('PUT core/sys/user/', { id: above.id, clear: ['bio'] }, { token })).status).toBe(403);
});

test('uses an index for every order', async () => {
  const client = await t.app.services.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    await client.query('set local enable_sort = off');
    for (const [column, index] of [
      ['essay_count', 'users_essays'],
      ['follower_count', 'users_followers'],
      ['read_count', 'users_reads'],
    ]) {
      const { rows } = await client.query(
        `explain select id from users where (${column}, id) < (5::bigint, '${ids[0]}'::uuid)
         order by ${column} desc, id desc limit 10`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`using ${index}`);
      expect(plan).toContain(`Index Cond: (ROW(${column}, id) <`);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});
