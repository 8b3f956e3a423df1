import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import { type Config, ConfigError } from '../config/config.ts';

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
  const adapter = createAdapter(watchListener(pool, hooks), {
    errorHandler: hooks.onError,
    tableName: 'live_attachments',
    payloadThreshold: MAX_NOTIFICATION_BYTES,
  });
  return { adapter, ping: null, close: async () => {} };
}

/** Reports when the adapter, which listens on a connection of its own, has replaced a lost connection. */
function watchListener(pool: pg.Pool, { onError, onRestored }: ConnectionHooks): pg.Pool {
  let isFirst = true;
  const connect = async () => {
    const client = await pool.connect();
    // Returns the slot of a lost connection to the pool.
    client.once('end', () => client.release(true));
    // Runs after the adapter's LISTEN on the same connection.
    if (!isFirst) setImmediate(() => client.query('select 1').then(onRestored, onError));
    isFirst = false;
    return client;
  };
  return Object.assign(Object.create(pool), { connect, query: pool.query.bind(pool) });
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
