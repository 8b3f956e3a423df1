import type { LiveEvents, LiveWishes } from '@mozhan/contract/live.ts';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { portOf, type TestApp } from './app.ts';

/** Opens a live connection to an app that listens, until the test ends. It does not reconnect unless `options` say so. */
export function openSocket(
  t: TestApp,
  token: string,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Socket<LiveEvents, LiveWishes> {
  const socket: Socket<LiveEvents, LiveWishes> = io(`http://127.0.0.1:${portOf(t)}`, {
    path: '/api/live',
    transports: ['websocket'],
    auth: { token },
    forceNew: true,
    reconnection: false,
    ...options,
  });
  onTestFinished(() => {
    socket.disconnect();
  });
  return socket;
}
