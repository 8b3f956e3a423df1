import { type Config, readConfig } from './config/config.ts';
import { connectDatabase } from './db/connect.ts';
import { requireFreePort } from './port.ts';
import type { ConfigWithAddress, MainOptions } from './run.ts';
import { receiveConnection } from './workers.ts';

/** Starts the server and resolves when it accepts requests. Stops on SIGTERM or SIGINT. */
export async function main(options: MainOptions): Promise<void> {
  const config = withSiteUrl(readConfig(undefined, options.dev));
  await requireFreePort(config);
  // Most of the program is loaded while PostgreSQL starts.
  const load = () => import('./run.ts');
  const database = await connectDatabase(config, options.note, { onStarting: load });
  const { runServer } = await load();
  await runServer(config, database, options);
}

/** Entry point of the child process that writes demo content. */
export async function runFirstStart(options: Pick<MainOptions, 'note' | 'printLine'>): Promise<void> {
  const [connection, { writeDemo }] = await Promise.all([receiveConnection(), import('./run.ts')]);
  await writeDemo(withSiteUrl(readConfig()), { connection }, options);
}

/** Entry point of a worker. */
export async function runWorker(options: Pick<MainOptions, 'note'>): Promise<void> {
  const [connection, { serveInWorker }] = await Promise.all([receiveConnection(), import('./run.ts')]);
  await serveInWorker(withSiteUrl(readConfig()), { connection }, options);
}

/** Derives the public URL from host and port if it is not configured. */
function withSiteUrl(config: Config): ConfigWithAddress {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  const siteUrl =
    config.siteUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.port}${config.basePath}`;
  return { ...config, siteUrl, isLocal: config.siteUrl === null && host !== config.host };
}
