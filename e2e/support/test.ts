import type { Client } from '@mozhan/contract/client.ts';
import { test as base, expect } from '@playwright/test';
import { getAdmin } from './admin.ts';
import { type BrowserErrors, collectBrowserErrors } from './browser-errors.ts';
import { createApiClient, register, storeSession, type TestUser } from './users.ts';

interface Fixtures {
  api: Client;
  newUser: (fields?: { displayName?: string }) => Promise<TestUser>;
  /** A new reader who is signed in on the test's page. */
  reader: TestUser;
  /** The first administrator, who is also a writer; the session is shared, and the page is not signed in. */
  admin: TestUser;
  /** Console errors and exceptions fail the test unless it allows them. */
  browserErrors: BrowserErrors;
}

export const test = base.extend<Fixtures>({
  api: async ({ baseURL }, use) => {
    await use(createApiClient(baseURL ?? ''));
  },
  newUser: async ({ baseURL }, use) => {
    await use((fields) => register(baseURL ?? '', fields));
  },
  reader: async ({ page, newUser }, use) => {
    const person = await newUser();
    await storeSession(page, person);
    await use(person);
  },
  admin: async ({ baseURL }, use) => {
    await use(await getAdmin(baseURL ?? ''));
  },
  browserErrors: [
    async ({ context }, use) => {
      const browserErrors = collectBrowserErrors(context);
      await use(browserErrors);
      expect(browserErrors.list(), 'errors in the console of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
