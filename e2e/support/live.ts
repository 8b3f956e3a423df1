import type { Page } from '@playwright/test';

/** Answer of Socket.IO to a connection. */
const CONNECTED = '40';

/**
 * Call it before the page is opened. The result tells whether the page is connected for live events; it may miss those
 * that are sent before.
 */
export function watchLiveConnection(page: Page): () => boolean {
  let isConnected = false;
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => {
      if (String(payload).startsWith(CONNECTED)) isConnected = true;
    });
    socket.on('close', () => {
      isConnected = false;
    });
  });
  return () => isConnected;
}
