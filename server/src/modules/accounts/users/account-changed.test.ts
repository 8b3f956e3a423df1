import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openSocket } from '../../../testing/live.ts';
import { createRole } from '../../../testing/staff.ts';

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  await t.app.server.listen({ port: 0, host: '127.0.0.1' });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

/** A user with an open page, which counts the requests to reload the account. */
async function openPage() {
  const person = await t.register();
  const socket = openSocket(t, person.token);
  let reloadCount = 0;
  socket.on('account', () => {
    reloadCount += 1;
  });
  await expect.poll(() => socket.connected).toBe(true);
  return { ...person, reloadCount: () => reloadCount };
}

const application = {
  realName: '沈青梧',
  field: '数据库',
  intro: '写了十年存储引擎，想把踩过的坑一个个写清楚。',
  works: [],
  contact: 'shen@example.com',
};

test('notifies open pages when staff change the account', async () => {
  const page = await openPage();
  const bystander = await openPage();
  const { id } = page.user;
  const me = async () => (await t.call('GET core/user/', {}, { token: page.token })).data;
  await t.call('POST core/user/apply', application, { token: page.token });
  const apply = (await t.call('GET core/user/apply', {}, { token: page.token })).data;
  const roleId = await createRole(t, ['essay:list']);
  const acts = [
    () => t.call('PUT core/sys/apply/', { id: apply?.id, status: 1 }, { token: admin }),
    () => t.call('PUT core/sys/user/', { id, curIdentity: 1 }, { token: admin }),
    () => t.call('PUT core/sys/account/', { id, roleIds: [roleId] }, { token: admin }),
    () => t.call('PUT core/member/user', { userId: id, days: 7, reason: '测试' }, { token: admin }),
  ];
  for (const [index, act] of acts.entries()) {
    expect((await act()).success).toBe(true);
    await expect.poll(page.reloadCount).toBe(index + 1);
  }
  expect(await me()).toMatchObject({ curIdentity: 1, permissions: ['essay:list'] });
  expect(bystander.reloadCount()).toBe(0);
  // A refused change sends no event.
  expect((await t.call('PUT core/sys/user/', { id, curIdentity: 2 }, { token: page.token })).status).toBe(
    403,
  );
  expect(page.reloadCount()).toBe(acts.length);
});
