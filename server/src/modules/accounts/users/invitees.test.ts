import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, uniqueName } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const invitees = (input: object, token?: string) => t.call('GET core/user/invitee', input, { token });

test('returns the invitation link with a QR code and the invitees, newest first', async () => {
  const inviter = await t.register();
  const { inviteCode } = inviter.user;
  const none = await invitees({}, inviter.token);
  const inviteUrl = `http://site.test/login.html?mode=register&invite=${inviteCode}`;
  expect(none.data).toMatchObject({ inviteCode, inviteUrl, list: [], total: 0, next: null });
  expect(none.data.qr).toMatch(/^<svg /);
  const ids = [];
  for (let i = 0; i < 3; i++) ids.unshift((await t.register(uniqueName(), { inviteCode })).user.id);
  const first = await invitees({ pageSize: 2 }, inviter.token);
  const rest = await invitees({ pageSize: 2, cursor: first.data.next ?? '' }, inviter.token);
  expect([...first.data.list, ...rest.data.list].map((each) => each.id)).toEqual(ids);
  expect(first.data.total).toBe(3);
  expect(rest.data.next).toBeNull();
});

test('shows invitees only to the inviter', async () => {
  const [inviter, other] = [await t.register(), await t.register()];
  const { inviteCode } = inviter.user;
  const invitee = await t.register(uniqueName(), { inviteCode });
  for (const { token, user } of [other, invitee]) {
    const { data } = await invitees({}, token);
    expect(data).toMatchObject({ list: [], total: 0, inviteCode: user.inviteCode });
  }
  expect((await invitees({})).status).toBe(401);
  const profile = await t.call('GET core/user/public', { id: inviter.user.id }, { token: other.token });
  expect(JSON.stringify(profile.data)).not.toContain(inviteCode);
});

test('rejects an unknown invite code', async () => {
  const response = await t.call('POST core/user/', {
    account: uniqueName(),
    password: 'correct horse 电池',
    inviteCode: 'nobody',
  });
  expect(response).toMatchObject({ status: 422, fields: { inviteCode: expect.any(String) } });
});
