import type { Client } from '@mozhan/contract/client.ts';
import { test as base, expect } from '@playwright/test';
import { getAdmin } from './admin.ts';
import { connect, enterAs, type Person, register } from './people.ts';
import { collectProblems, type Problems } from './problems.ts';

interface Fixtures {
  /** The API as a visitor. */
  api: Client;
  /** Registers a new reader. */
  newPerson: (fields?: { displayName?: string }) => Promise<Person>;
  /** A new reader, whose session the test's page has. */
  reader: Person;
  /** The first administrator, who is a writer too; the page stays a visitor's, and the session is shared. */
  admin: Person;
  /** Any console error or exception fails the test, unless it allows it. */
  problems: Problems;
}

export const test = base.extend<Fixtures>({
  api: async ({ baseURL }, use) => {
    await use(connect(baseURL ?? ''));
  },
  newPerson: async ({ baseURL }, use) => {
    await use((fields) => register(baseURL ?? '', fields));
  },
  reader: async ({ page, newPerson }, use) => {
    const person = await newPerson();
    await enterAs(page, person);
    await use(person);
  },
  admin: async ({ baseURL }, use) => {
    await use(await getAdmin(baseURL ?? ''));
  },
  problems: [
    async ({ context }, use) => {
      const problems = collectProblems(context);
      await use(problems);
      expect(problems.list(), '浏览器控制台里的错误').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
