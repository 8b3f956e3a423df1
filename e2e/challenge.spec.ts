import { choosePassword, register } from './support/people.ts';
import { startServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

test('the browser proves its work by itself, to register and after too many wrong passwords', async ({
  browser,
  problems,
}) => {
  test.slow();
  problems.allow(/status of 401/);
  const site = await startServer('challenge', 'off', { CHALLENGE: 'on' });
  const page = await (await browser.newContext({ baseURL: site.url })).newPage();
  try {
    const asked = page.waitForResponse(/core\/account\/challenge/);
    await page.goto('/login.html?mode=register');
    await page.getByLabel('账号').fill('somebody-new');
    await page.getByLabel('密码', { exact: true }).fill('three quiet mountains');
    await page.getByRole('button', { name: '注册' }).click();
    await expect(page).toHaveURL(/\/home$/);
    expect(await (await asked).json()).toMatchObject({ data: { enabled: true } });

    const { account, password } = await register(site.url);
    await page.evaluate(() => localStorage.clear());
    await page.goto('/login.html');
    await choosePassword(page);
    const field = page.getByLabel('密码', { exact: true });
    const signIn = async (password: string) => {
      await page.getByLabel('账号').fill(account);
      await field.fill(password);
      await page.getByRole('button', { name: '登录', exact: true }).click();
    };
    for (let failures = 0; failures < 6; failures += 1) {
      await signIn(`wrong ${failures}`);
      await expect(field).toHaveAccessibleDescription(/密码不对/);
    }
    await signIn(password);
    await expect(page).toHaveURL(/\/home$/);
  } finally {
    await page.context().close();
    await site.stop();
  }
});
