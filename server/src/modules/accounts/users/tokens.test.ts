import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, type TokenScope, tokenScopes } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, essayFields, submitEssay, type TestUser } from '../../../testing/essays.ts';
import { createStaffWithRole } from '../../../testing/staff.ts';

const DAY = 24 * 60 * 60_000;

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

async function makeToken(
  writer: TestUser,
  given: readonly TokenScope[],
  more: object = {},
): Promise<{ id: string; token: string }> {
  const { data, success, errorMessage } = await t.call(
    'POST core/user/token/',
    { name: '持续集成', scopes: given, days: 30, password: PASSWORD, ...more },
    { token: writer.token },
  );
  if (!success) throw new Error(errorMessage);
  return data;
}

const name = (call: Call) => `${call.method} ${call.path}` as RouteName;
const isOpenRead = (call: Call) => call.access === 'anyone' && call.method === 'GET';

test('reads only public data with a token without scopes', async () => {
  const admin = await createStaffWithRole(t, 'super');
  await t.app.services.pool.query('update users set cur_identity = 2 where id = $1', [admin.user.id]);
  const { id, token } = await makeToken(admin, ['upload:write']);
  await t.app.services.pool.query(`update api_tokens set scopes = '{}' where id = $1`, [id]);
  for (const call of calls) {
    const response = await t.call(name(call), {}, { token });
    if (isOpenRead(call)) {
      const asVisitor = await t.call(name(call), {});
      expect([name(call), response.status === 403 ? 401 : response.status]).toEqual([
        name(call),
        asVisitor.status,
      ]);
    } else {
      expect([name(call), response.status, response.errorCode]).toEqual([name(call), 403, 'TOKEN_SCOPE']);
    }
    expect(response.token).toBeUndefined();
  }
});

test('allows exactly the calls that name the scope', async () => {
  const writer = await createWriter(t);
  const tokens = new Map<TokenScope, string>();
  for (const scope of tokenScopes) tokens.set(scope, (await makeToken(writer, [scope])).token);
  const scoped = calls.filter((call) => call.scope !== undefined);
  expect(new Set(scoped.map((call) => call.scope))).toEqual(new Set(tokenScopes));
  for (const call of scoped.filter((call) => !isOpenRead(call))) {
    for (const [scope, token] of tokens) {
      const { errorCode } = await t.call(name(call), {}, { token });
      const isRefused = errorCode === 'TOKEN_SCOPE';
      expect([name(call), scope, isRefused]).toEqual([name(call), scope, scope !== call.scope]);
    }
  }
  // No scope allows staff calls, payments or account changes.
  for (const call of scoped) expect(['anyone', 'user', 'writer']).toContain(call.access);
  for (const call of scoped) expect(call.path).toMatch(/^core\/(essay|minio|sys\/oss)\//);
});

test('requires separate scopes for writing, submitting and reading', async () => {
  const writer = await createWriter(t);
  const read = { headers: { authorization: `Bearer ${(await makeToken(writer, ['essay:read'])).token}` } };
  const write = { token: (await makeToken(writer, ['essay:write'])).token };
  const both = { token: (await makeToken(writer, ['essay:write', 'essay:submit'])).token };
  const fields = await essayFields(t);

  const early = await t.call('POST core/essay/', { ...fields, status: 1 }, write);
  expect([early.status, early.errorCode]).toEqual([403, 'TOKEN_SCOPE']);
  expect(early.errorMessage).toContain('essay:submit');
  const { data: draft } = await t.call('POST core/essay/', fields, write);
  const mine = await t.call('GET core/essay/', { mine: 1 }, read);
  expect((mine.data as { list: { id: string }[] }).list.map(({ id }) => id)).toEqual([draft.id]);
  const blind = await t.call('GET core/essay/', { mine: 1 }, write);
  expect([blind.status, blind.errorCode]).toEqual([403, 'TOKEN_SCOPE']);

  const handedIn = await t.call('PUT core/essay/', { ...draft, title: '改过的标题', status: 1 }, both);
  expect(handedIn.success).toBe(true);
  const back = await t.call('PUT core/essay/status', { id: draft.id, status: 0 }, both);
  expect(back.data.status).toBe(0);
  expect((await t.call('DELETE core/essay/{id}', { id: draft.id }, both)).errorCode).toBe('TOKEN_SCOPE');
});

test('does not treat the token of a staff member as staff', async () => {
  const staff = await createStaffWithRole(t, 'super');
  await t.app.services.pool.query('update users set cur_identity = 2 where id = $1', [staff.user.id]);
  const { token } = await makeToken(staff, tokenScopes);
  const id = await submitEssay(t, await createWriter(t));
  const { status } = await t.call('PUT core/essay/status', { id, status: 2 }, { token });
  expect([403, 404]).toContain(status);
  expect((await t.call('GET core/essay/{id}/source', { id }, { token })).success).toBe(false);
});

test('rejects a forged, expired or removed token in every call', async () => {
  const writer = await createWriter(t);
  const own = { token: writer.token };
  const { id, token } = await makeToken(writer, ['essay:read']);
  const lasting = await makeToken(writer, ['essay:read'], { days: null });
  const open = (given: string) => t.call('GET core/essay/', {}, { token: given, address: '9.9.9.9' });
  expect((await open(token)).success).toBe(true);
  const forged = await open(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`);
  expect([forged.status, forged.errorCode, forged.token]).toEqual([401, 'SIGN_IN_REQUIRED', undefined]);

  const { data: listed } = await t.call('GET core/user/token/', {}, own);
  expect(listed.list.map((each) => [each.id, each.usedAddress, each.expiresAt === null])).toEqual([
    [lasting.id, '', true],
    [id, '9.9.9.9', false],
  ]);
  expect(JSON.stringify(listed)).not.toContain(token);
  const stranger = await t.register();
  expect((await t.call('DELETE core/user/token/', { id }, { token: stranger.token })).status).toBe(404);
  expect((await t.call('DELETE core/user/token/', { id }, own)).success).toBe(true);
  expect((await open(token)).status).toBe(401);

  const short = await makeToken(writer, ['essay:read']);
  t.advance(30 * DAY + 1000);
  expect((await open(short.token)).status).toBe(401);
  expect((await open(lasting.token)).success).toBe(true);
  t.advance(-30 * DAY - 1000);
});

test('removes tokens when the account is disabled, the password changes or the user signs out everywhere', async () => {
  const admin = { token: await t.signInAdmin() };
  const writer = await createWriter(t);
  const { token } = await makeToken(writer, ['essay:read']);
  const isAlive = async (given: string) =>
    (await t.call('GET core/essay/', { mine: 1 }, { token: given })).success;
  expect(await isAlive(token)).toBe(true);
  for (const enabled of [0, 1]) await t.call('PUT core/sys/user/', { id: writer.user.id, enabled }, admin);
  expect(await isAlive(token)).toBe(false);

  const other = await createWriter(t);
  const second = await makeToken(other, ['essay:read']);
  await t.call('PUT core/sys/account/', { id: other.user.id, password: 'set by an operator' }, admin);
  expect(await isAlive(second.token)).toBe(false);

  const third = await createWriter(t);
  const { account } = third.user;
  const before = await makeToken(third, ['essay:read']);
  const change = { oldPassword: PASSWORD, newPassword: `${PASSWORD}!` };
  expect((await t.call('PUT core/account/password', change, { token: third.token })).success).toBe(true);
  expect(await isAlive(before.token)).toBe(false);
  expect((await t.call('GET core/user/', {}, { token: third.token })).success, 'this session stays').toBe(
    true,
  );

  const after = await makeToken(third, ['essay:read'], { password: change.newPassword });
  const here = await t.call('POST core/account/login', { account, password: change.newPassword });
  await t.call('DELETE core/account/login', {}, { token: here.token });
  expect(await isAlive(after.token), 'signing out of one device').toBe(true);
  await t.call('DELETE core/account/login', { all: 1 }, { token: third.token });
  expect(await isAlive(after.token)).toBe(false);
});

test('lets writers create up to twenty tokens with their password and notifies them', async () => {
  const reader = await t.register();
  const wish = { name: '持续集成', scopes: ['essay:write'], days: 90, password: PASSWORD };
  const asReader = await t.call('POST core/user/token/', wish, { token: reader.token });
  expect([asReader.status, (await t.call('POST core/user/token/', wish)).status]).toEqual([403, 401]);
  const writer = await createWriter(t);
  const own = { token: writer.token };
  const wrong = await t.call('POST core/user/token/', { ...wish, password: 'not this one' }, own);
  expect([wrong.errorCode, wrong.fields?.password]).toEqual(['WRONG_PASSWORD', '密码不对']);
  for (const bad of [{ scopes: [] }, { scopes: ['money:move'] }, { days: 31 }, { name: ' ' }])
    expect((await t.call('POST core/user/token/', { ...wish, ...bad }, own)).errorCode).toBe('INVALID');

  const made = await Promise.all(
    Array.from({ length: 22 }, () => t.call('POST core/user/token/', wish, own)),
  );
  expect(made.filter(({ success }) => success)).toHaveLength(20);
  expect((await t.call('GET core/user/token/', {}, own)).data.list).toHaveLength(20);
  const notices = await t.call('GET core/user/notice', {}, own);
  expect(JSON.stringify(notices.data)).toContain('API 令牌「持续集成」');
});
