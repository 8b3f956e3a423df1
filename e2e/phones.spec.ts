import { startTestAliyunSms } from '@mozhan/server/testing/aliyun-sms.ts';
import pg from 'pg';
import { expectAccessible } from './support/accessibility.ts';
import { startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';
import { choosePassword, dropSession, storeSession } from './support/users.ts';

const PHONE = '13800138000';

interface PhoneSite {
  url: string;
  databaseUrl: string;
  /** Waits for the next text message and returns its code. */
  received: () => Promise<string>;
}

/** A site with text messages and proof-of-work challenges. */
const test = base.extend<object, { phoneSite: PhoneSite }>({
  phoneSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const aliyun = await startTestAliyunSms();
      const { accessKeyId, accessKeySecret, signName, templateCode, endpoint } = aliyun.config;
      const server = await startServer(`phones-${workerIndex}`, {
        CHALLENGE: 'on',
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
      await use({ url: server.url, databaseUrl: server.databaseUrl, received });
      await server.stop();
      await aliyun.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ phoneSite }, use) => {
    await use(phoneSite.url);
  },
});

// Serial, because the tests share one site.
test.describe.configure({ mode: 'default' });

test('binds a phone number and signs in by code', async ({
  page,
  phoneSite: { databaseUrl, received },
  newUser,
  browserErrors,
}) => {
  browserErrors.allow(/status of (422|429)/);
  const person = await newUser();
  await storeSession(page, person);
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

  await dropSession(page);
  await page.goto('/login.html');
  const tab = page.getByRole('tab', { name: '验证码登录' });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
  const panel = page.getByRole('tabpanel', { name: '验证码登录' });
  await panel.getByLabel('手机号').fill(PHONE);
  await panel.getByRole('button', { name: '发送验证码' }).click();
  await expect(panel.getByText('这个手机号刚发送过验证码，请稍后再试')).toBeVisible();
  await expectAccessible(page);
  await expireCodeLimits(databaseUrl);
  await panel.getByRole('button', { name: '发送验证码' }).click();
  await panel.getByLabel('验证码').fill('000000');
  await panel.getByRole('button', { name: '登录', exact: true }).click();
  await expect(panel.getByLabel('验证码')).toHaveAccessibleDescription(/验证码不对/);
  await panel.getByLabel('验证码').fill(await received());
  await panel.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByRole('button', { name: `${person.user.displayName}，账户菜单` })).toBeVisible();
});

test('solves the proof-of-work challenge automatically for registration and after failed sign-ins', async ({
  page,
  newUser,
  browserErrors,
}) => {
  browserErrors.allow(/status of 401/);
  const challengeResponse = page.waitForResponse(/core\/account\/challenge/);
  await page.goto('/login.html?mode=register');
  await page.getByLabel('账号').fill('somebody-new');
  await page.getByLabel('密码', { exact: true }).fill('three quiet mountains');
  await page.getByRole('button', { name: '注册' }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await (await challengeResponse).json()).toMatchObject({ data: { enabled: true } });

  const { account, password } = await newUser();
  await dropSession(page);
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
});

async function expireCodeLimits(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("update code_asks set asked_at = array[now() - interval '61 seconds']");
  await client.end();
}
