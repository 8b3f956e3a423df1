import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp, uniqueName } from '../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

test('registering answers the current user and a token that signs in', async () => {
  const account = uniqueName();
  const answer = await t.call('POST core/user/', { account, password: PASSWORD, displayName: '林砚' });
  expect(answer).toMatchObject({ status: 200, success: true });
  expect(answer.data).toMatchObject({
    account,
    displayName: '林砚',
    curIdentity: 1,
    access: 'user',
    unread: 1,
  });
  expect(answer.data.id).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.token).toMatch(/^[\w-]{43}$/);
  const me = await t.call('GET core/user/', {}, { token: answer.token });
  expect(me.data).toEqual(answer.data);
});
