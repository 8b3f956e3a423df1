import type { LiveEvents, LiveRequests } from '@mozhan/contract/live.ts';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { onTestFinished } from 'vitest';
import { portOf, type TestApp } from './app.ts';

/** Opens a live connection that is closed when the test ends; it does not reconnect by default. */
export function openSocket(
  t: TestApp,
  token: string,
  options: Partial<ManagerOptions & SocketOptions> = {},
): Socket<LiveEvents, LiveRequests> {
  const socket: Socket<LiveEvents, LiveRequests> = io(`http://127.0.0.1:${portOf(t)}`, {
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
