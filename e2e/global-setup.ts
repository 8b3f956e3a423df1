import { makeFirstStart, removeDir, startServer } from './support/server.ts';

/**
 * Starts the real server once for all browser tests, unless `E2E_BASE_URL` names one that already runs, and makes the
 * data that tests with a site of their own begin with. The workers, started after this, read both from the environment.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_BASE_URL) return undefined;
  const [server, firstStart] = await Promise.all([startServer('server'), makeFirstStart()]);
  process.env.E2E_BASE_URL = server.url;
  process.env.E2E_FIRST_START = firstStart;
  return async () => {
    removeDir(firstStart);
    await server.stop();
  };
}
