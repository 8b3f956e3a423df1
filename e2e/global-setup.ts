import { prepareDataDir, removeDir, startServer } from './support/server.ts';

/**
 * Starts the real server once for all browser tests, unless `E2E_BASE_URL` names one that already runs, and prepares
 * the data directory that tests with their own server copy. The workers read both from the environment.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_BASE_URL) return undefined;
  const [server, preparedData] = await Promise.all([startServer('server'), prepareDataDir()]);
  process.env.E2E_BASE_URL = server.url;
  process.env.E2E_PREPARED_DATA = preparedData;
  return async () => {
    removeDir(preparedData);
    await server.stop();
  };
}
