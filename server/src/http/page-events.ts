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
    fresh.on('notification', ({ payload = '' }) => cache.drop(payload.split(' ')));
    fresh.on('error', () => {});
    fresh.on('end', () => {
      cache.setOpen(false);
      if (!isClosed) void reconnect();
    });
    await fresh.connect();
    await fresh.query('listen pages');
    client = fresh;
    cache.setOpen(true);
  }

  async function reconnect(): Promise<void> {
    while (!isClosed) {
      await sleep(500, undefined, { ref: false });
      const isBack = await connect().then(
        () => true,
        () => false,
      );
      if (isBack) return;
    }
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      await client?.end();
    },
  };
}
