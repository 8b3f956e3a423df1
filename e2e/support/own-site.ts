import type { SiteSettings } from '@mozhan/contract/site.ts';
import { ADMIN, startServer } from './server.ts';
import { test as base } from './test.ts';
import { signIn, type TestUser } from './users.ts';

interface OwnSite {
  url: string;
  databaseUrl: string;
  keyFile: string;
  admin: TestUser;
  settings: SiteSettings;
}

interface Fixtures {
  /** Applies these settings and resets all others to their defaults. */
  applySettings: (given: Partial<SiteSettings>) => Promise<void>;
}

/** A separate site for tests that change settings. */
export const test = base.extend<Fixtures, { ownSite: OwnSite }>({
  ownSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const server = await startServer(`own-site-${workerIndex}`);
      const admin = await signIn(server.url, ADMIN);
      const settings = await admin.call('GET core/sys/setting/', {});
      const { url, databaseUrl, keyFile } = server;
      await use({ url, databaseUrl, keyFile, admin, settings });
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ ownSite }, use) => {
    await use(ownSite.url);
  },
  applySettings: async ({ ownSite: { admin, settings } }, use) => {
    await use(async (given) => {
      await admin.call('PUT core/sys/setting/', { ...settings, ...given });
    });
  },
});

export { expect } from './test.ts';
