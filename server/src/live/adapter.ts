import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import { type Config, ConfigError } from '../config/config.ts';

type OnError = (error: Error) => void;

export interface LiveAdapter {
  adapter: ServerOptions['adapter'];
  /** From when on others are heard again who could not be for a while. */
  onHeardAgain: (then: () => void) => void;
  /** Of Redis, where processes speak through it. */
  ping: (() => Promise<void>) | null;
  close: () => Promise<void>;
}

type Watch = { onError: OnError; onHeard: () => void };

/** Less than what one notification of PostgreSQL holds; what is larger goes by a table. */
const LARGEST_NOTIFICATION = 7900;
const LONGEST_PAUSE_MS = 2000;
/** While Redis is away, listeners of this process wait no longer than this for each event. */
const PATIENCE_MS = 1000;

/** By what processes tell each other of live events: PostgreSQL, or Redis where one is configured. */
export async function openAdapter(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  pool: pg.Pool,
  onError: OnError,
): Promise<LiveAdapter> {
  let heard = () => {};
  const watch = { onError, onHeard: () => heard() };
  const opened = redisUrl === undefined ? openPostgres(pool, watch) : await openRedis(redisUrl, watch);
  return {
    ...opened,
    onHeardAgain(then) {
      heard = then;
    },
  };
}

function openPostgres(pool: pg.Pool, watch: Watch): Omit<LiveAdapter, 'onHeardAgain'> {
  const adapter = createAdapter(watched(pool, watch), {
    errorHandler: watch.onError,
    tableName: 'live_attachments',
    payloadThreshold: LARGEST_NOTIFICATION,
  });
  return { adapter, ping: null, close: async () => {} };
}

/** The adapter listens on a connection of its own, and takes another one when that is lost. */
function watched(pool: pg.Pool, { onError, onHeard }: Watch): pg.Pool {
  let isFirst = true;
  const connect = async () => {
    const client = await pool.connect();
    // Lost: its place in the pool is free.
    client.once('end', () => client.release(true));
    // Answered behind the adapter's own LISTEN.
    if (!isFirst) setImmediate(() => client.query('select 1').then(onHeard, onError));
    isFirst = false;
    return client;
  };
  return Object.assign(Object.create(pool), { connect, query: pool.query.bind(pool) });
}

async function openRedis(
  url: string,
  { onError, onHeard }: Watch,
): Promise<Omit<LiveAdapter, 'onHeardAgain'>> {
  const [{ createClient }, streams] = await Promise.all([
    import('@redis/client'),
    import('@socket.io/redis-streams-adapter'),
  ]);
  let isUp = false;
  const client = createClient({
    url,
    commandOptions: { timeout: PATIENCE_MS },
    socket: {
      // Wrong at the start is the operator's to mend; later it is waited for.
      reconnectStrategy: (retries) => isUp && Math.min(100 * 2 ** retries, LONGEST_PAUSE_MS),
    },
  });
  client.on('error', onError);
  await client.connect().catch((error: Error) => {
    throw new ConfigError(`连不上 Redis（REDIS_URL）：${error.message}`);
  });
  isUp = true;
  client.on('ready', onHeard);
  const publish = client.publish.bind(client);
  // The adapter does not look at what becomes of it: a failure would end the process.
  const carefully = (...given: Parameters<typeof publish>) => publish(...given).catch(onError);
  Object.assign(client, { publish: carefully });
  const adapter = streams.createAdapter(client, { streamName: 'mozhan', channelPrefix: 'mozhan' });
  const ping = async () => {
    await client.ping();
  };
  return { adapter, ping, close: () => client.close() };
}
