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
const answerTicket = (ticket: string, action: string, token: string) =>
  t.call('PUT core/user/qrcode/login', { ticket, action }, { token });
const poll = (ticket: string, secret: string) =>
  t.call('POST core/user/login/qrcode', { ticket, secret }, desktop);

test('gives the token once after scan and confirmation', async () => {
  const phone = await t.register();
  const { ticket, secret, url } = await newTicket();
  expect(url).toBe(`http://site.test/login.html?ticket=${ticket}`);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'waiting' });

  const scan = await answerTicket(ticket, 'scan', phone.token);
  expect(scan.data).toMatchObject({ status: 'scanned', device: 'Safari · macOS', place: '广东' });
  expect((await poll(ticket, secret)).data).toEqual({ status: 'scanned' });

  expect((await answerTicket(ticket, 'confirm', phone.token)).data.status).toBe('confirmed');
  const polls = await Promise.all([poll(ticket, secret), poll(ticket, secret), poll(ticket, secret)]);
  const tokens = polls.map((each) => each.token).filter((each) => each !== undefined);
  expect(tokens).toHaveLength(1);
  expect(polls.every((each) => each.data.user?.id === phone.user.id)).toBe(true);
  const me = await t.call('GET core/user/', {}, { token: tokens[0] });
  expect(me.data).toMatchObject({ id: phone.user.id });
});

test('refuses to poll without the secret', async () => {
  const { ticket } = await newTicket();
  const other = await newTicket();
  expect(await poll(ticket, other.secret)).toMatchObject({
    status: 403,
    errorCode: 'FORBIDDEN',
    token: undefined,
  });
});

test('refuses visitors, a second phone and a confirmation without a scan', async () => {
  const [mine, other] = [await t.register(), await t.register()];
  const { ticket, secret } = await newTicket();
  expect((await t.call('PUT core/user/qrcode/login', { ticket, action: 'scan' })).status).toBe(401);
  expect((await answerTicket(ticket, 'confirm', mine.token)).errorCode).toBe('TICKET_NOT_SCANNED');
  await answerTicket(ticket, 'scan', mine.token);
  expect((await answerTicket(ticket, 'scan', mine.token)).success).toBe(true);
  expect((await answerTicket(ticket, 'scan', other.token)).errorCode).toBe('TICKET_USED');
  expect((await answerTicket(ticket, 'confirm', other.token)).errorCode).toBe('TICKET_USED');
  expect((await poll(ticket, secret)).data).toEqual({ status: 'scanned' });
});

test('keeps a cancelled ticket cancelled', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  await answerTicket(ticket, 'scan', phone.token);
  await answerTicket(ticket, 'cancel', phone.token);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'cancelled' });
  expect((await answerTicket(ticket, 'confirm', phone.token)).errorCode).toBe('TICKET_USED');
});

test('expires a ticket after two minutes and treats unknown ones alike', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  t.advance(121_000);
  expect((await poll(ticket, secret)).data).toEqual({ status: 'expired' });
  expect((await answerTicket(ticket, 'scan', phone.token)).errorCode).toBe('TICKET_EXPIRED');
  expect((await poll('a'.repeat(22), secret)).data).toEqual({ status: 'expired' });
  expect((await answerTicket('a'.repeat(22), 'scan', phone.token)).errorCode).toBe('TICKET_EXPIRED');
});

test('gives the token for a ticket confirmed just before it expires', async () => {
  const phone = await t.register();
  const { ticket, secret } = await newTicket();
  t.advance(118_000);
  await answerTicket(ticket, 'scan', phone.token);
  await answerTicket(ticket, 'confirm', phone.token);
  t.advance(5_000);
  expect((await poll(ticket, secret)).token).toBeDefined();
});

test('returns 422 for malformed tickets and actions', async () => {
  const phone = await t.register();
  expect((await answerTicket('<script>', 'scan', phone.token)).status).toBe(422);
  expect((await answerTicket('a'.repeat(22), 'approve', phone.token)).status).toBe(422);
});
