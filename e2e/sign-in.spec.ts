import { expect, test } from './support/test.ts';
import { choosePassword } from './support/users.ts';

const CENTRE = '/account/center.html';

test('a visitor signs in and returns to the requested page', async ({ page, newUser }) => {
  const { account, password } = await newUser();
  await page.goto(`${CENTRE}?tab=trend`);
  await expect(page).toHaveURL(
    new RegExp(`/login\\.html\\?redirect=${encodeURIComponent(`${CENTRE}?tab=trend`)}$`),
  );
  await choosePassword(page);
  await page.getByLabel('账号').fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/center\.html\?tab=trend$/);
  await expect(page.getByRole('list', { name: '动态' })).toContainText('加入了墨栈');
});

for (const script of ['entry-client', 'hydrate'])
  test(`a form submitted before ${script} is loaded is sent afterwards`, async ({ page, newUser }) => {
    const { account, password } = await newUser();
    const submitted = Promise.withResolvers<void>();
    await page.route(`**/assets/${script}-*.js`, async (route) => {
      await submitted.promise;
      await route.fallback();
    });
    await page.goto('/login.html?way=password', { waitUntil: 'commit' });
    await page.getByLabel('账号').fill(account);
    await page.getByLabel('密码', { exact: true }).fill(password);
    await page.getByRole('button', { name: '登录', exact: true }).click();
    submitted.resolve();
    await expect(page).toHaveURL(/\/home$/);
  });
