import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

interface InvalidationListener {
  invalidate: (tags: readonly string[]) => void;
  /** True after each connection, when invalidations may have been missed; false while the connection is lost. */
  setEnabled: (isEnabled: boolean) => void;
}

/**
 * Receives invalidations from other processes. The cache is disabled while the connection is lost, because invalidations
 * could be missed.
 */
export async function listenForInvalidations(connection: pg.ClientConfig, cache: InvalidationListener) {
  let isClosed = false;
  let client: pg.Client | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...connection, application_name: 'mozhan pages' });
    fresh.on('error', () => {});
    fresh.on('notification', ({ payload = '' }) => cache.invalidate(payload.split(' ')));
    try {
      await fresh.connect();
      await fresh.query('listen pages');
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    // Registered only after connecting, because a failed connection also emits `end` and would start a second loop.
    fresh.on('end', () => {
      cache.setEnabled(false);
      if (!isClosed) void reconnect();
    });
    client = fresh;
    cache.setEnabled(true);
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
    // Closed while reconnecting, so the new connection must be ended here.
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
