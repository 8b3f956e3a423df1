import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomPhone, type TestAliyunSms } from '../../../testing/aliyun-sms.ts';
import { PASSWORD, type TestApp, uniqueName } from '../../../testing/app.ts';
import { type AppWithGateways, startAppWithGateways } from '../../../testing/app-with-gateways.ts';
import type { TestSmtp } from '../../../testing/smtp.ts';

const HOUR = 3_600_000;
const NEW_PASSWORD = 'the owner is here';

let smtp: TestSmtp;
let aliyun: TestAliyunSms;
let t: TestApp;
let close: AppWithGateways['close'];
beforeAll(async () => {
  ({ t, smtp, aliyun, close } = await startAppWithGateways());
});
afterAll(() => close());

const requestCode = (purpose: 'bind' | 'login', target: string, token?: string) =>
  t.call('POST core/account/code', { purpose, target }, { token });
const submitCode = (purpose: 'bind' | 'login', target: string, code: string, token?: string) =>
  t.call('PUT core/account/code', { purpose, target, code }, { token });

/** An attacker registers with somebody else's address and prepares every other way to sign in. */
async function registerWithForeignEmail() {
  const email = `${uniqueName()}@example.com`;
  const { token, user } = await t.register(email);
  await t.query('update users set cur_identity = 2 where id = $1 returning 1', [user.id]);
  const phone = randomPhone();
  await requestCode('bind', phone, token);
  await submitCode('bind', phone, await aliyun.waitForCode(phone), token);
  const wish = { name: '后门', scopes: ['essay:read'], days: null };
  const apiToken = (await t.call('POST core/user/token/', wish, { token })).data.token;
  t.advance(25 * HOUR);
  const { ticket, secret } = (await t.call('GET core/user/qrcode/login')).data;
  for (const action of ['scan', 'confirm'])
    await t.call('PUT core/user/qrcode/login', { ticket, action }, { token });
  return { email, id: user.id, token, phone, apiToken, ticket, secret };
}

async function resetByMail(email: string): Promise<void> {
  await t.call('POST core/account/reset', { account: email });
  const code = await smtp.waitForCode(email);
  const reset = await t.call('PUT core/account/reset', { account: email, code, newPassword: NEW_PASSWORD });
  expect(reset.success).toBe(true);
}

test('removes all other access when a reset verifies the e-mail first', async () => {
  const { email, id, token, phone, apiToken, ticket, secret } = await registerWithForeignEmail();
  await requestCode('login', phone);
  const code = await aliyun.waitForCode(phone);
  await resetByMail(email);

  expect((await t.call('GET core/user/', {}, { token })).status).toBe(401);
  expect((await t.call('GET core/essay/', { mine: 1 }, { token: apiToken })).status).toBe(401);
  const polled = await t.call('POST core/user/login/qrcode', { ticket, secret });
  expect([polled.data, polled.token]).toEqual([{ status: 'expired' }, undefined]);
  expect((await submitCode('login', phone, code)).errorCode).toBe('WRONG_CODE');
  expect((await t.call('POST core/account/login', { account: phone, password: NEW_PASSWORD })).status).toBe(
    401,
  );
  expect(await t.query('select 1 from codes where user_id = $1', [id])).toEqual([]);
  expect(await t.query('select 1 from account_changes where user_id = $1', [id])).toEqual([]);

  const owner = await t.call('POST core/account/login', { account: email, password: NEW_PASSWORD });
  expect(owner.data).toMatchObject({ id, email, phone: null });
  const notices = await t.call('GET core/user/notice', { kind: 'system' }, { token: owner.token });
  expect(JSON.stringify(notices.data)).toContain('此前绑定的手机号已移除');
  // The phone number can be bound again.
  t.advance(61_000);
  const holder = await t.register();
  await requestCode('bind', phone, holder.token);
  expect((await submitCode('bind', phone, await aliyun.waitForCode(phone), holder.token)).data).toMatchObject(
    {
      phone,
    },
  );
});

test('rejects a change that is in progress during the reset', async () => {
  const { email, id, token } = await registerWithForeignEmail();
  await t.call('POST core/account/reauth', { method: 'password', password: PASSWORD }, { token });
  const next = randomPhone();
  await requestCode('bind', next, token);
  const bindCode = await aliyun.waitForCode(next);
  await t.call('POST core/account/reset', { account: email });
  const code = await smtp.waitForCode(email);
  await Promise.all([
    t.call('PUT core/account/reset', { account: email, code, newPassword: NEW_PASSWORD }),
    submitCode('bind', next, bindCode, token),
  ]);
  expect(await t.query('select phone, email_verified from accounts where user_id = $1', [id])).toEqual([
    { phone: null, email_verified: true },
  ]);
});

test('keeps the phone when the e-mail was verified before the reset', async () => {
  const { email, id } = await registerWithForeignEmail();
  await resetByMail(email);
  const { token } = await t.call('POST core/account/login', { account: email, password: NEW_PASSWORD });
  const phone = randomPhone();
  await requestCode('bind', phone, token);
  await submitCode('bind', phone, await aliyun.waitForCode(phone), token);
  t.advance(61_000);
  await resetByMail(email);
  expect(await t.query('select phone from accounts where user_id = $1', [id])).toEqual([{ phone }]);
});

test('removes two-factor too, except for staff', async () => {
  const admin = { token: await t.signInAdmin() };
  const made = async (roleIds: string[]) => {
    const account = `${uniqueName()}@example.com`;
    await t.call('POST core/sys/account/', { account, password: PASSWORD, roleIds }, admin);
    const { token } = await t.call('POST core/account/login', { account, password: PASSWORD });
    return { account, token };
  };
  const [role] = await t.query("select id from roles where code = 'operator'", []);
  for (const keepsRole of [true, false]) {
    const { account, token } = await made([role.id]);
    await t.call(
      'PUT core/account/password',
      { oldPassword: PASSWORD, newPassword: `${PASSWORD}!` },
      { token },
    );
    const { secret } = (await t.call('POST core/account/totp', {}, { token })).data;
    const code = new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() });
    await t.call('PUT core/account/totp', { code }, { token });
    if (!keepsRole)
      await t.query(
        'delete from account_roles using accounts a where a.user_id = account_roles.user_id and a.name = $1',
        [account],
      );
    await resetByMail(account);
    const signedIn = await t.call('POST core/account/login', { account, password: NEW_PASSWORD });
    expect(signedIn.errorCode).toBe(keepsRole ? 'TOTP_REQUIRED' : undefined);
  }
});
