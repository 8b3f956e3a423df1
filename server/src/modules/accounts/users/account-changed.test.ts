import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { makeRole } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

/** Somebody with an open page, and how often that page was told to fetch the account again. */
async function openPage() {
  const person = await t.register();
  const socket = openSocket(t, person.token);
  let told = 0;
  socket.on('account', () => {
    told += 1;
  });
  await expect.poll(() => socket.connected).toBe(true);
  return { ...person, told: () => told };
}

const application = {
  realName: '沈青梧',
  field: '数据库',
  intro: '写了十年存储引擎，想把踩过的坑一个个写清楚。',
  works: [],
  contact: 'shen@example.com',
};

test('pages of a person whom the staff changes are told to fetch the account again', async () => {
  const page = await openPage();
  const bystander = await openPage();
  const { id } = page.user;
  const me = async () => (await t.call('GET core/user/', {}, { token: page.token })).data;
  await t.call('POST core/user/apply', application, { token: page.token });
  const apply = (await t.call('GET core/user/apply', {}, { token: page.token })).data;
  const roleId = await makeRole(t, ['essay:list']);
  const acts = [
    () => t.call('PUT core/sys/apply/', { id: apply?.id, status: 1 }, { token: admin }),
    () => t.call('PUT core/sys/user/', { id, curIdentity: 1 }, { token: admin }),
    () => t.call('PUT core/sys/account/', { id, roleIds: [roleId] }, { token: admin }),
    () => t.call('PUT core/member/user', { userId: id, days: 7, reason: '测试' }, { token: admin }),
  ];
  for (const [index, act] of acts.entries()) {
    expect((await act()).success).toBe(true);
    await expect.poll(page.told).toBe(index + 1);
  }
  expect(await me()).toMatchObject({ curIdentity: 1, permissions: ['essay:list'] });
  expect(bystander.told()).toBe(0);
  // A refused change tells nothing.
  expect((await t.call('PUT core/sys/user/', { id, curIdentity: 2 }, { token: page.token })).status).toBe(
    403,
  );
  expect(page.told()).toBe(acts.length);
});
