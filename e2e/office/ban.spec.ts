import { expectAccessible } from '../support/accessibility.ts';
import { button, expect, LARGE_ONLY, panel, row, test } from '../support/office.ts';
import { createApiClient, register } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('bans a network, changes and lifts the ban', LARGE_ONLY, async ({ page, open, browserErrors }) => {
  browserErrors.allow(/status of 422/);
  await open('/ban');
  await button(page, '封禁地址').click();
  const form = panel(page);
  await form.getByLabel('地址或网络').fill('127.0.0.1');
  await button(form, '保存').click();
  await expect(form.getByText(/不能封禁本机的地址|代理/)).toBeVisible();
  await form.getByLabel('地址或网络').fill('203.0.113.9/24');
  await form.getByLabel(/理由/).fill('扫描漏洞');
  await button(form, '保存').click();
  await expect(row(page, '203.0.113.0/24')).toContainText('扫描漏洞');
  await expect(row(page, '203.0.113.0/24')).toContainText('不到期');
  await expectAccessible(page);
  await row(page, '203.0.113.0/24').getByRole('button', { name: /^删除/ }).click();
  await button(panel(page), '删除').click();
  await expect(row(page, '203.0.113.0/24')).toHaveCount(0);
});

test(
  'bans from the sign-in log, but not the own address',
  LARGE_ONLY,
  async ({ page, open, url, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    const reader = await register(url);
    const failed = createApiClient(url)('POST core/account/login', {
      account: reader.account,
      password: 'not it',
    });
    await expect(failed).rejects.toThrow('WRONG_PASSWORD');
    await open(`/sign-in?keyword=${reader.account}`);
    const wrong = row(page, reader.account).filter({ hasText: '密码不对' });
    await wrong.getByRole('button', { name: /^封禁/ }).click();
    const form = panel(page);
    await button(form, '封禁').click();
    await expect(form.getByText(/不能封禁/)).toBeVisible();
    await form.getByLabel('地址或网络').fill('198.51.100.0/24');
    await form.getByText('30 天').click();
    await button(form, '封禁').click();
    await expect(page.getByText('已封禁 198.51.100.0/24')).toBeVisible();
    await page.goto('/admin/ban');
    await expect(row(page, '198.51.100.0/24')).toContainText('多次登录失败');
  },
);
