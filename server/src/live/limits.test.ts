import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { MAX_LIVE_CONNECTIONS } from '@mozhan/contract/live.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, portOf, startTestApp, type TestApp } from '../testing/app.ts';
import { openSocket } from '../testing/live.ts';

let one: TestApp;
let two: TestApp;
beforeAll(async () => {
  one = await startTestApp();
  two = await startTestApp({ sameDatabaseAs: one });
  for (const t of [one, two]) await t.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await two.close();
  await one.close();
});

async function connect(t: TestApp, token: string) {
  const socket = openSocket(t, token, { reconnection: true, reconnectionDelay: 50 });
  const state = { socket, isOpen: false, connects: 0, isCrowded: false, reason: '' };
  socket.on('crowded', () => {
    state.isCrowded = true;
  });
  socket.on('disconnect', (reason) => {
    state.isOpen = false;
    state.reason = reason;
  });
  await new Promise<void>((resolve) => {
    socket.on('connect', () => {
      state.isOpen = true;
      state.connects += 1;
      resolve();
    });
  });
  return state;
}

test('closes the oldest excess connection in any process with a reason, and it does not reconnect', async () => {
  const { token } = await one.register();
  const pages = [];
  for (let nth = 0; nth < MAX_LIVE_CONNECTIONS; nth++)
    pages.push(await connect(nth % 2 === 0 ? one : two, token));
  const other = await one.register();
  const others = await connect(one, other.token);
  expect(pages.every(({ isOpen }) => isOpen)).toBe(true);

  const newest = [await connect(two, token), await connect(two, token)];
  const [first, second, ...rest] = pages;
  for (const closed of [first, second]) {
    await expect.poll(() => closed?.isOpen).toBe(false);
    expect(closed).toMatchObject({ isCrowded: true, reason: 'io server disconnect' });
  }
  expect([...rest, ...newest, others].every(({ isOpen, isCrowded }) => isOpen && !isCrowded)).toBe(true);

  // The user connects the closed page again: another one is closed, and none reconnects by itself.
  first?.socket.connect();
  await expect.poll(() => first?.connects).toBe(2);
  await expect.poll(() => rest[0]?.isOpen).toBe(false);
  expect(rest.slice(1).every(({ isOpen, connects }) => isOpen && connects === 1)).toBe(true);
  expect(second?.connects).toBe(1);
});

test('limits many pages that connect at once', async () => {
  const { token, user } = await one.register();
  const again = await one.call('POST core/account/login', { account: user.account, password: PASSWORD });
  const pages = await Promise.all(
    Array.from({ length: MAX_LIVE_CONNECTIONS + 10 }, (_, nth) =>
      connect(nth % 2 === 0 ? one : two, nth % 3 === 0 ? (again.token ?? '') : token),
    ),
  );
  await expect.poll(() => pages.filter(({ isOpen }) => isOpen).length).toBe(MAX_LIVE_CONNECTIONS);
});

test('limits unauthenticated connections by address without affecting others', async () => {
  /** Opens a WebSocket that sends nothing; null if refused. */
  const open = (address: string) =>
    new Promise<Duplex | null>((resolve, reject) => {
      const upgradeRequest = request({
        port: portOf(one),
        path: '/api/live/?EIO=4&transport=websocket',
        headers: {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': Buffer.from('sixteen bytes...').toString('base64'),
          'x-forwarded-for': address,
        },
      });
      upgradeRequest.on('upgrade', (_response, socket) => resolve(socket));
      upgradeRequest.on('response', () => resolve(null));
      upgradeRequest.on('error', reject);
      upgradeRequest.end();
    });
  const idle = await Promise.all(Array.from({ length: 205 }, () => open('198.51.100.9')));
  expect(idle.filter((socket) => socket !== null)).toHaveLength(200);
  const elsewhere = await open('198.51.100.10');
  expect(elsewhere).not.toBeNull();
  const { token } = await one.register();
  expect((await connect(one, token)).isOpen).toBe(true);

  for (const socket of [...idle, elsewhere]) socket?.destroy();
  const canConnect = async () => {
    const socket = await open('198.51.100.9');
    socket?.destroy();
    return socket !== null;
  };
  await expect.poll(canConnect).toBe(true);
});
