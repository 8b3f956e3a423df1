import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressGroup } from '../address.ts';
import { startTestApp, type TestApp, uniqueName } from '../testing/app.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await startTestApp({ config: { rateLimit: true } });
  two = await startTestApp({ config: { rateLimit: true }, sameDatabaseAs: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const register = (t: TestApp, address: string) =>
  t.call('POST core/user/', { account: uniqueName(), password: 'password123' }, { address });

test('the limit of a call counts each address exactly across processes', async () => {
  const address = '203.0.113.50';
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => register(i % 2 ? one : two, address)),
  );
  expect(responses.filter((response) => response.status === 422)).toHaveLength(20);
  const refused = responses.filter((response) => response.status === 429);
  expect(refused).toHaveLength(10);
  expect(refused[0]).toMatchObject({ errorCode: 'TOO_MANY_REQUESTS' });
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await register(one, '203.0.113.51')).status).toBe(422);
});

test('a limit ends with its window', async () => {
  const address = '203.0.113.52';
  await Promise.all(Array.from({ length: 20 }, () => register(one, address)));
  expect((await register(one, address)).status).toBe(429);
  for (const t of [one, two]) t.advance(3600_000);
  expect((await register(one, address)).status).toBe(422);
});

test('an account is limited across all its addresses', async () => {
  const { token, user } = await one.register(uniqueName());
  const change = (i: number) =>
    one.call(
      'PUT core/account/password',
      { oldPassword: 'wrong', newPassword: 'another good one 1' },
      { token, address: `203.0.113.${100 + i}` },
    );
  const responses = [];
  for (let i = 0; i < 22; i++) responses.push(await change(i));
  expect(responses.filter((response) => response.status === 401)).toHaveLength(20);
  expect(responses.slice(20).map((response) => response.status)).toEqual([429, 429]);
  expect(user.id).toBeDefined();
});

test('limits an address in this process and, after an exchange, in others', async () => {
  // Starts at the beginning of a window, so that the window does not end during the test.
  const left = 60_000 - (one.app.services.clock().getTime() % 60_000);
  for (const t of [one, two]) t.advance(left);
  const flood = async (t: TestApp, count: number, address: string) => {
    const responses = await Promise.all(
      Array.from({ length: count }, () => t.call('GET core/site/', {}, { address })),
    );
    return responses.filter((response) => response.status === 429).length;
  };
  expect(await flood(one, 1250, '203.0.113.60')).toBe(50);
  await expect.poll(() => flood(two, 1, '203.0.113.60')).toBe(1);
  expect(await flood(one, 1, '203.0.113.61')).toBe(0);
});

test('groups IPv6 addresses by /64', () => {
  expect(addressGroup('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(addressGroup('2001:db8::1')).toBe('2001:db8:0:0');
  expect(addressGroup('::1')).toBe('0:0:0:0');
  expect(addressGroup('203.0.113.1')).toBe('203.0.113.1');
});
