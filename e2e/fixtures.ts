import { test as base, expect, type Page } from '@playwright/test';

/** A page that must not complain: anything in its console beyond what a test allows fails the test. */
export const test = base.extend<{ complaints: string[]; quiet: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  complaints: async ({}, use) => {
    await use([]);
  },
  quiet: [
    async ({ page, complaints }, use) => {
      watch(page, complaints);
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The browser itself reports answers above 399; those are the server's business, not the page's. */
export function watch(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
}

let count = 0;

/** An account nobody has taken, also when the same server is tested again. */
export function newAccount(): { account: string; password: string; displayName: string } {
  count += 1;
  const account = `t${Date.now().toString(36)}${process.pid.toString(36)}${count}`;
  return { account, password: `long enough ${count}`, displayName: `测试${count}` };
}

export type Account = ReturnType<typeof newAccount>;

export async function register(page: Page, { account, password, displayName }: Account): Promise<void> {
  await page.goto('login.html?mode=register');
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('昵称').fill(displayName);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page).toHaveURL(/\/home$/);
}

export async function choosePassword(page: Page): Promise<void> {
  await page.getByRole('tab', { name: '密码登录' }).click();
}

export async function signIn(page: Page, { account, password }: Account): Promise<void> {
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
}

export const accountMenu = (page: Page, { displayName }: Account) =>
  page.getByRole('button', { name: `${displayName}，账户菜单` });
