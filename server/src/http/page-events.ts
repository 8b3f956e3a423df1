import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { PageCache } from './page-cache.ts';

/**
 * Hears of changes that other processes commit. Without a connection a change could be missed, so the cache is shut
 * until it stands again.
 */
export async function listenForPages(connection: pg.ClientConfig, cache: PageCache) {
  let isClosed = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...connection, application_name: 'mozhan pages' });
    fresh.on('error', () => {});
    fresh.on('notification', ({ payload = '' }) => cache.drop(payload.split(' ')));
    try {
      await fresh.connect();
      await fresh.query('listen pages');
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    // Only now: a connection that fails also ends, and must not begin a second loop.
    fresh.on('end', () => {
      cache.setOpen(false);
      if (!isClosed) void reconnect();
    });
    client = fresh;
    cache.setOpen(true);
  }

  async function reconnect(): Promise<void> {
    let isBack = false;
    while (!isBack && !isClosed) {
      await sleep(500, undefined, { ref: false });
      isBack = await connect().then(
        () => true,
        () => false,
      );
    }
    // Stopped while connecting: nobody else will end it.
    if (isClosed && isBack) await client?.end();
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      await client?.end();
    },
  };
}
