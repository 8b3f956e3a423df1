import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const desktop = {
  address: '120.24.78.68',
  headers: { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit Version/18 Safari/605' },
};
const newTicket = async () => (await t.call('GET core/user/qrcode/login', {}, desktop)).data;
const answer = (ticket: string, action: string, token: string) =>
  t.call('PUT core/user/qrcode/login', { ticket, action }, { token });
const poll = (ticket: string, secret: string) =>
  t.call('POST core/user/login/qrcode', { ticket, secret }, desktop);

test('waiting, scanned, confirmed: the asker gets the token once', async () => {
  const phone = await t.register();
  const { ticket, secret, url } = await newTicket();
  expect(url).toBe(`http://site.test/login.html?ticket=${ticket}`);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'waiting' });

  const scan = await answer(ticket, 'scan', phone.token);
  expect(scan.data).toMatchObject({ status: 'scanned', device: 'Safari · macOS', place: '广东' });
  expect((await poll(ticket, secret)).data).toEqual({ status: 'scanned' });

  expect((await answer(ticket, 'confirm', phone.token)).data.status).toBe('confirmed');
  const polls = await Promise.all([poll(ticket, secret), poll(ticket, secret), poll(ticket, secret)]);
  const tokens = polls.map((each) => each.token).filter((each) => each !== undefined);
  expect(tokens).toHaveLength(1);
  expect(polls.every((each) => each.data.user?.id === phone.user.id)).toBe(true);
  const me = await t.call('GET core/user/', {}, { token: tokens[0] });
  expect(me.data).toMatchObject({ id: phone.user.id });
});

test('only the asker with its secret can poll', async () => {
  const { ticket } = await newTicket();
  const other = await newTicket();
  expect(await poll(ticket, other.secret)).toMatchObject({
    status: 403,
    errorCode: 'FORBIDDEN',
    token: undefined,
  });
});

test('a visitor cannot answer; another phone cannot take over; confirming needs a scan', async () => {
  const [mine, other] = [await t.register(), await t.register()];
  const { ticket, secret } = await newTicket();
  expect((await t.call('PUT core/user/qrcode/login', { ticket, action: 'scan' })).status).toBe(401);
  expect((await answer(ticket, 'confirm', mine.token)).errorCode).toBe('TICKET_NOT_SCANNED');
  await answer(ticket, 'scan', mine.token);
  expect((await answer(ticket, 'scan', mine.token)).success).toBe(true);
  expect((await answer(ticket, 'scan', other.token)).errorCode).toBe('TICKET_USED');
  expect((await answer(ticket, 'confirm', other.token)).errorCode).toBe('TICKET_USED');
  expect((await poll(ticket, secret)).data).toEqual({ status: 'scanned' });
});

test('cancelled stays cancelled', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  await answer(ticket, 'scan', phone.token);
  await answer(ticket, 'cancel', phone.token);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'cancelled' });
  expect((await answer(ticket, 'confirm', phone.token)).errorCode).toBe('TICKET_USED');
});

test('after two minutes a ticket is expired for both sides; unknown ones look the same', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  t.advance(121_000);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'expired' });
  expect((await answer(ticket, 'scan', phone.token)).errorCode).toBe('TICKET_EXPIRED');
  expect((await poll('a'.repeat(22), secret)).data).toEqual({ status: 'expired' });
  expect((await answer('a'.repeat(22), 'scan', phone.token)).errorCode).toBe('TICKET_EXPIRED');
});

test('a ticket confirmed at the last second can still be fetched', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  t.advance(118_000);
  await answer(ticket, 'scan', phone.token);
  await answer(ticket, 'confirm', phone.token);
  t.advance(5_000);
  expect((await poll(ticket, secret)).token).toBeDefined();
});

test('wrong tickets and actions are 422', async () => {
  const phone = await t.register();
  expect((await answer('<script>', 'scan', phone.token)).status).toBe(422);
  expect((await answer('a'.repeat(22), 'approve', phone.token)).status).toBe(422);
});
