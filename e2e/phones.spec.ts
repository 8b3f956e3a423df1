import pg from 'pg';
import { startAliyunSms } from '#server/testing/aliyun-sms.ts';
import { expectAccessible } from './support/accessible.ts';
import { enterAs, register } from './support/people.ts';
import { startServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

const PHONE = '13800138000';

test('a phone is bound in the settings, then signs in by a code', async ({ browser, problems }) => {
  test.slow();
  problems.allow(/status of 429/);
  const aliyun = await startAliyunSms();
  const { accessKeyId, accessKeySecret, signName, templateCode, endpoint } = aliyun.config;
  const site = await startServer('phones', 'off', {
    SMS_ACCESS_KEY_ID: accessKeyId,
    SMS_ACCESS_KEY_SECRET: accessKeySecret,
    SMS_SIGN_NAME: signName,
    SMS_TEMPLATE_CODE: templateCode,
    SMS_ENDPOINT: endpoint,
  });
  const received = async () => {
    await expect.poll(() => aliyun.sent.length).toBe(1);
    return aliyun.sent.pop()?.code ?? '';
  };
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  try {
    const person = await register(site.url);
    await enterAs(page, person);
    await page.goto('/account/settings.html?tab=security');
    await expect(page.getByText('邮箱', { exact: true }), 'this server sends no mail').toBeHidden();
    await page.getByRole('button', { name: '绑定手机号' }).click();
    const form = page.getByRole('dialog', { name: '绑定手机号' });
    await form.getByLabel('手机号').fill('1380013');
    await form.getByRole('button', { name: '发送验证码' }).click();
    await expect(form.getByLabel('手机号')).toHaveAccessibleDescription(/11 位手机号/);
    await form.getByLabel('手机号').fill('+86 138 0013 8000');
    await form.getByRole('button', { name: '发送验证码' }).click();
    await form.getByLabel('验证码').fill(await received());
    await expectAccessible(page);
    await form.getByRole('button', { name: '绑定', exact: true }).click();
    await expect(page.getByText('手机号已绑定')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: PHONE })).toBeVisible();

    await page.evaluate(() => localStorage.clear());
    await page.goto('/login.html');
    const tab = page.getByRole('tab', { name: '验证码登录' });
    await expect(async () => {
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
    }).toPass();
    const panel = page.getByRole('tabpanel', { name: '验证码登录' });
    await panel.getByLabel('手机号').fill(PHONE);
    await panel.getByRole('button', { name: '发送验证码' }).click();
    await expect(panel.getByText('这个手机号刚要过验证码，请稍后再试')).toBeVisible();
    await expectAccessible(page);
    await aMinuteLater(site.databaseUrl);
    await panel.getByRole('button', { name: '发送验证码' }).click();
    await panel.getByLabel('验证码').fill('000000');
    await panel.getByRole('button', { name: '登录', exact: true }).click();
    await expect(panel.getByLabel('验证码')).toHaveAccessibleDescription(/验证码不对/);
    await panel.getByLabel('验证码').fill(await received());
    await panel.getByRole('button', { name: '登录', exact: true }).click();
    await expect(page.getByRole('button', { name: `${person.user.displayName}，账户菜单` })).toBeVisible();
  } finally {
    await context.close();
    await site.stop();
    await aliyun.close();
  }
});

async function aMinuteLater(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("update code_asks set asked_at = array[now() - interval '61 seconds']");
  await client.end();
}
