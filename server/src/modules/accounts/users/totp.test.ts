import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, startTestApp, type TestApp } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const codeAt = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: t.app.services.clock().getTime() + steps * 30_000 });
const signIn = (totp?: string) =>
  t.call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD, totp });

test('offers two-factor to staff only', async () => {
  const { token } = await t.register();
  expect(await t.call('POST core/account/totp', {}, { token })).toMatchObject({
    status: 403,
    errorCode: 'FORBIDDEN',
  });
  expect(await t.call('POST core/account/totp')).toMatchObject({ status: 401 });
});

test('enrols, confirms, accepts a code once and switches off', async () => {
  const token = await t.signInAdmin();
  expect((await t.call('PUT core/account/totp', { code: '123456' }, { token })).errorCode).toBe(
    'TOTP_NOT_ENROLLED',
  );
  const { data } = await t.call('POST core/account/totp', {}, { token });
  expect(data.url).toContain('otpauth://totp/');
  expect(data.qr).toMatch(/^<svg/);
  expect((await signIn()).success).toBe(true);

  const wrong = codeAt(data.secret) === '000000' ? '111111' : '000000';
  expect((await t.call('PUT core/account/totp', { code: wrong }, { token })).errorCode).toBe('WRONG_TOTP');
  expect((await t.call('PUT core/account/totp', { code: codeAt(data.secret) }, { token })).success).toBe(
    true,
  );
  expect((await t.call('POST core/account/totp', {}, { token })).errorCode).toBe('TOTP_ALREADY_ON');
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ totpOn: true });

  expect(await signIn()).toMatchObject({
    status: 200,
    success: false,
    errorCode: 'TOTP_REQUIRED',
    token: undefined,
  });
  expect((await signIn(codeAt(data.secret))).errorCode).toBe('WRONG_TOTP');
  t.advance(60_000);
  const code = codeAt(data.secret);
  const responses = await Promise.all([signIn(code), signIn(code)]);
  expect(responses.filter((response) => response.success)).toHaveLength(1);
  expect(responses.filter((response) => response.errorCode === 'WRONG_TOTP')).toHaveLength(1);
  expect((await signIn(codeAt(data.secret, -5))).errorCode).toBe('WRONG_TOTP');

  t.advance(60_000);
  const off = await t.call('DELETE core/account/totp', { code: codeAt(data.secret) }, { token });
  expect(off.success).toBe(true);
  expect((await signIn()).success).toBe(true);
});
