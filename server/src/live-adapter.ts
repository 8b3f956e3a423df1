import { createAdapter } from '@socket.io/postgres-adapter';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import { type Config, ConfigError } from './config.ts';

type OnError = (error: Error) => void;

export interface LiveAdapter {
  adapter: ServerOptions['adapter'];
  close: () => Promise<void>;
}

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
  if (redisUrl !== undefined) return openRedis(redisUrl, onError);
  const adapter = createAdapter(pool, {
    errorHandler: onError,
    tableName: 'live_attachments',
    payloadThreshold: LARGEST_NOTIFICATION,
  });
  return { adapter, close: async () => {} };
}

async function openRedis(url: string, onError: OnError): Promise<LiveAdapter> {
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
  const publish = client.publish.bind(client);
  // The adapter does not look at what becomes of it: a failure would end the process.
  client.publish = (channel, message) =>
    publish(channel, message).catch((error: Error) => {
      onError(error);
      return 0;
    });
  const adapter = streams.createAdapter(client, { streamName: 'mozhan', channelPrefix: 'mozhan' });
  return { adapter, close: () => client.close() };
}
