import { startServer } from './support/server.ts';

/** Starts the real server once for all browser tests, unless `E2E_BASE_URL` names one that already runs. */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.E2E_BASE_URL) return undefined;
  const server = await startServer();
  // The workers, started after this, read it in playwright.config.ts.
  process.env.E2E_BASE_URL = server.url;
  return server.stop;
}
