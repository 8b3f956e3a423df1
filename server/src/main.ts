import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { createPool } from './db/client.ts';
import { type EmbeddedDatabase, startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { type FirstStart, prepare } from './first-start.ts';
import { builtSite, viteSite } from './http/pages.ts';
import { systemCtx } from './jobs.ts';

export interface MainOptions {
  /** One sentence on what is happening. */
  note: (sentence: string) => void;
  /** Vite in the process instead of the built site. */
  dev?: boolean;
}

/** How long a request may take to finish once the server is told to stop. */
const STOP_MS = 8000;

/** Starts everything; resolves when the server answers. Stops on SIGTERM or SIGINT. */
export async function main({ note, dev = false }: MainOptions): Promise<void> {
  const config = readConfig(process.env, dev);
  // The public address, as far as it is known before listening.
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const siteUrl =
    config.siteUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.port}${config.basePath}`;
  const settled: Config = { ...config, siteUrl };

  await mkdir(config.dataDir, { recursive: true });
  const database = await openDatabase(settled, note);
  try {
    await migrateDatabase(database.connection, note);
    const app = await createApp({
      config: settled,
      connection: database.connection,
      site: (server) => (dev ? viteSite(server, config.basePath) : builtSite(server, config.basePath)),
      print: note,
    });
    const firstStart = await prepare(systemCtx(app.services));
    await app.server.listen({ port: config.port, host: config.host });
    stopOnSignal(async () => {
      await app.close();
      await database.embedded?.stop();
    });
    announce(note, siteUrl, firstStart);
  } catch (error) {
    await database.embedded?.stop();
    throw error;
  }
}

interface Database {
  connection: pg.PoolConfig;
  embedded: EmbeddedDatabase | null;
}

async function openDatabase(config: Config, note: MainOptions['note']): Promise<Database> {
  if (config.databaseUrl !== undefined)
    return { connection: { connectionString: config.databaseUrl }, embedded: null };
  note('启动数据库');
  const embedded = await startEmbedded({ dataDir: config.dataDir, note });
  return { connection: embedded.connection, embedded };
}

async function migrateDatabase(connection: pg.PoolConfig, note: MainOptions['note']): Promise<void> {
  note('检查数据库结构');
  const pool = createPool({ ...connection, max: 2, statement_timeout: 0 });
  try {
    await migrate(pool);
  } finally {
    await pool.end();
  }
}

function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    // A request that never ends must not keep the database from being shut down in order.
    setTimeout(() => process.exit(1), STOP_MS + 1500).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function announce(note: MainOptions['note'], siteUrl: string, firstStart: FirstStart): void {
  const lines = [`墨栈已启动：${siteUrl}`];
  if (firstStart.adminPassword !== null) {
    lines.push(
      `管理员账号：admin，一次性密码：${firstStart.adminPassword}（只显示这一次，首次登录后须修改）`,
    );
  }
  if (firstStart.demoPassword !== null) {
    lines.push(
      `演示用户：linyan、zhoumu、suhe、chenduo、guwei、heqing，密码都是：${firstStart.demoPassword}`,
    );
  }
  for (const line of lines) note(line);
}
