import type { SiteSettings } from '@mozhan/contract/site.ts';
import { type Person, signIn } from './people.ts';
import { ADMIN, startServer } from './server.ts';
import { test as base } from './test.ts';

interface OwnSite {
  url: string;
  databaseUrl: string;
  keyFile: string;
  admin: Person;
  /** As they are at the first start. */
  settings: SiteSettings;
}

interface Fixtures {
  /** Gives the site these settings, and every other its first value. */
  settle: (given: Partial<SiteSettings>) => Promise<void>;
}

/** Tests that change settings have a site to themselves, so that no other test sees them. */
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
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: async ({ ownSite }, use) => {
    await use(ownSite.url);
  },
  settle: async ({ ownSite: { admin, settings } }, use) => {
    await use(async (given) => {
      await admin.call('PUT core/sys/setting/', { ...settings, ...given });
    });
  },
});

export { expect } from './test.ts';
