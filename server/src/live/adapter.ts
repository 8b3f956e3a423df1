import { setImmediate as nextTurn } from 'node:timers/promises';
import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import type { Namespace, ServerOptions } from 'socket.io';
import { type Config, ConfigError } from '../config/config.ts';
import { createBatcher } from '../db/batch.ts';

type OnError = (error: Error) => void;

export interface LiveAdapter {
  adapter: ServerOptions['adapter'];
  /** Sets a callback for when the connection to other processes is restored. */
  onReconnect: (callback: () => void) => void;
  ping: (() => Promise<void>) | null;
  close: () => Promise<void>;
}

type ConnectionHooks = { onError: OnError; onRestored: () => void };

/** Below the limit of a PostgreSQL notification; larger events are passed through a table. */
const MAX_NOTIFICATION_BYTES = 7900;
/** Visible in `pg_stat_activity` as the last statement of the listening connection. */
export const AFTER_LISTEN = `select 'live events'`;
const MAX_RECONNECT_DELAY_MS = 2000;
/** Limits the delay of local events while Redis is unavailable. */
const COMMAND_TIMEOUT_MS = 1000;

/** Opens the transport of live events between processes: Redis if configured, otherwise PostgreSQL. */
export async function openAdapter(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  pool: pg.Pool,
  onError: OnError,
): Promise<LiveAdapter> {
  let reconnected = () => {};
  const hooks = { onError, onRestored: () => reconnected() };
  const opened = redisUrl === undefined ? openPostgres(pool, hooks) : await openRedis(redisUrl, hooks);
  return {
    ...opened,
    onReconnect(callback) {
      reconnected = callback;
    },
  };
}

function openPostgres(pool: pg.Pool, hooks: ConnectionHooks): Omit<LiveAdapter, 'onReconnect'> {
  const listener = watchListener(pool, hooks);
  const createOf = createAdapter(listener.pool, {
    errorHandler: hooks.onError,
    tableName: 'live_attachments',
    payloadThreshold: MAX_NOTIFICATION_BYTES,
  });
  // Socket.IO calls it with `new`.
  function adapter(namespace: Namespace) {
    const created = createOf(namespace);
    const close = created.close.bind(created);
    created.close = async () => {
      // The adapter would never return a connection that it is still opening, and the pool would wait for it.
      await listener.whenOpened();
      close();
      await listener.whenNotified();
    };
    return created;
  }
  return { adapter, ping: null, close: async () => {} };
}

/** What the adapter executes for every event. */
const NOTIFY = 'SELECT pg_notify($1, $2)';

/**
 * Events that are sent together share a transaction, because a commit costs more than a notification. PostgreSQL then
 * delivers equal events once.
 */
function batchNotifications(pool: pg.Pool) {
  let newest: Promise<unknown> = Promise.resolve();
  const notify = createBatcher((messages: unknown[][]) =>
    pool.query(
      'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as message (channel, payload)',
      [messages.map(([channel]) => channel), messages.map(([, payload]) => payload)],
    ),
  );
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  return {
    query: ((text: unknown, values: unknown[], ...rest: unknown[]) => {
      if (text !== NOTIFY) return query(text, values, ...rest);
      newest = notify(values);
      return newest;
    }) as pg.Pool['query'],
    /** Resolves when all notifications so far were sent or failed. */
    whenNotified: () => newest.catch(() => {}),
  };
}

/** Reports when the adapter, which listens on a connection of its own, has replaced a lost connection. */
function watchListener(pool: pg.Pool, { onError, onRestored }: ConnectionHooks) {
  let isFirst = true;
  let opened: Promise<unknown> = Promise.resolve();
  const { query, whenNotified } = batchNotifications(pool);
  const connect = async () => {
    const connecting = pool.connect();
    const listening = connecting.then(async (client) => {
      await nextTurn();
      // Runs after the adapter's LISTEN on the same connection.
      await client.query(AFTER_LISTEN);
    });
    opened = listening.catch(() => {});
    const client = await connecting;
    // Returns the slot of a lost connection to the pool.
    client.once('end', () => client.release(true));
    if (!isFirst) listening.then(onRestored, onError);
    isFirst = false;
    return client;
  };
  return {
    pool: Object.assign(Object.create(pool), { connect, query }) as pg.Pool,
    /** Resolves when the connection is listening, or could not be opened. */
    whenOpened: () => opened,
    whenNotified,
  };
}

async function openRedis(
  url: string,
  { onError, onRestored }: ConnectionHooks,
): Promise<Omit<LiveAdapter, 'onReconnect'>> {
  const [{ createClient }, streams] = await Promise.all([
    import('@redis/client'),
    import('@socket.io/redis-streams-adapter'),
  ]);
  let isUp = false;
  const client = createClient({
    url,
    commandOptions: { timeout: COMMAND_TIMEOUT_MS },
    socket: {
      // A failure at the start is a configuration error; later failures are retried.
      reconnectStrategy: (retries) => isUp && Math.min(100 * 2 ** retries, MAX_RECONNECT_DELAY_MS),
    },
  });
  client.on('error', onError);
  await client.connect().catch((error: Error) => {
    throw new ConfigError(`连不上 Redis（REDIS_URL）：${error.message}`);
  });
  isUp = true;
  client.on('ready', onRestored);
  const publish = client.publish.bind(client);
  // The adapter does not handle a rejected promise, which would crash the process.
  const publishSafely = (...given: Parameters<typeof publish>) => publish(...given).catch(onError);
  Object.assign(client, { publish: publishSafely });
  const adapter = streams.createAdapter(client, { streamName: 'mozhan', channelPrefix: 'mozhan' });
  const ping = async () => {
    await client.ping();
  };
  return { adapter, ping, close: () => client.close() };
}
