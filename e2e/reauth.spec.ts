import { startTestSmtp, type TestSmtp } from '@mozhan/server/testing/smtp.ts';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter } from './support/essays.ts';
import { ADMIN, startServer } from './support/server.ts';
import { test as base, expect } from './support/test.ts';
import { signIn, storeSession, type TestUser } from './support/users.ts';

interface MailSite {
  url: string;
  smtp: TestSmtp;
  query: (text: string, values?: unknown[]) => Promise<void>;
}

const test = base.extend<object, { mailSite: MailSite }>({
  mailSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const smtp = await startTestSmtp();
      const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'noreply@site.test' };
      const server = await startServer(`reauth-${workerIndex}`, settings);
      const query = async (text: string, values: unknown[] = []) => {
        const client = new pg.Client({ connectionString: server.databaseUrl });
        await client.connect();
        await client.query(text, values);
        await client.end();
      };
      await use({ url: server.url, smtp, query });
      await server.stop();
      smtp.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ mailSite }, use) => {
    await use(mailSite.url);
  },
});

// Serial, because the tests share one site.
test.describe.configure({ mode: 'default' });

const settings = '/account/settings.html?tab=security';
const question = (page: Page) => page.getByRole('dialog', { name: '确认是你本人' });

/** Ends the re-authentication of all sessions. */
const expireReauth = ({ query }: MailSite) => query('update sessions set reauth_until = null');

/** Binds an e-mail address, dated back by two days. */
async function bindEmail({ smtp, query }: MailSite, person: TestUser, email: string): Promise<void> {
  await person.call('POST core/account/code', { purpose: 'bind', target: email });
  const code = await smtp.waitForCode(email);
  await person.call('PUT core/account/code', { purpose: 'bind', target: email, code });
  await query("update accounts set email_added_at = now() - interval '2 days' where email = $1", [email]);
  await query("update account_changes set created_at = created_at - interval '2 days'");
  // Removes code requests of the last minute, which are rate-limited.
  await query('delete from code_asks');
}

async function linkInMail({ smtp }: MailSite, to: string, word: string): Promise<string> {
  const mail = await smtp.waitForMail(to, word);
  return mail.match(/\/login\.html\?mode=not-me#[\w-]{43}/)?.[0] ?? '';
}

test('changing the e-mail requires re-authentication, continues automatically, and can be undone by the old address', async ({
  page,
  mailSite,
  reader,
  browserErrors,
}) => {
  browserErrors.allow(/status of (401|410)/);
  const [old, next] = ['old@reader.test', 'new@reader.test'];
  await bindEmail(mailSite, reader, old);
  await expireReauth(mailSite);
  await page.goto(settings);
  await page.getByRole('button', { name: '更换邮箱' }).click();
  const form = page.getByRole('dialog', { name: '更换邮箱' });
  await form.getByLabel('邮箱').fill(next);
  await form.getByRole('button', { name: '发送验证码' }).click();

  // Keyboard only: the field has the focus, Escape cancels, and the input stays.
  await expect(question(page).getByLabel('登录密码')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(question(page)).toBeHidden();
  await expect(form.getByText('请再次验证身份')).toBeVisible();
  await expect(form.getByLabel('邮箱')).toHaveValue(next);
  await form.getByLabel('邮箱').press('Enter');
  await expect(question(page).getByLabel('登录密码')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page).getByLabel('登录密码')).toHaveAccessibleDescription(/请填写密码/);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(question(page).getByLabel('登录密码')).toHaveAccessibleDescription(/密码不对/);
  await question(page).getByLabel('登录密码').fill(reader.password);
  await page.keyboard.press('Enter');
  await expect(question(page)).toBeHidden();

  await form.getByLabel('验证码').fill(await mailSite.smtp.waitForCode(next));
  await form.getByRole('button', { name: '绑定', exact: true }).click();
  await expect(page.getByText('邮箱已绑定')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: next })).toBeVisible();

  // In another browser context without a session.
  const context = await page.context().browser()?.newContext({ baseURL: mailSite.url });
  const owner = await context?.newPage();
  if (owner === undefined) throw new Error('no second browser');
  const link = await linkInMail(mailSite, old, '绑定了邮箱');
  const sent: string[] = [];
  owner.on('request', (request) => sent.push(request.url()));
  await owner.goto(link);
  await expect(owner.getByText('绑定了邮箱 n***@reader.test')).toBeVisible();
  await expectAccessible(owner);
  expect(sent.join(' '), 'the secret is in no address').not.toContain(link.split('#')[1]);
  expect(await reader.call('GET core/user/')).toMatchObject({ email: next });
  await expect(owner.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');

  await owner.getByRole('button', { name: '不是我，确认撤销' }).click();
  await expect(owner.getByRole('heading', { name: '已撤销' })).toBeFocused();
  await expectAccessible(owner);
  await expect(reader.call('GET core/user/')).rejects.toThrow('SIGN_IN_REQUIRED');
  await page.reload();
  await expect(page).toHaveURL(/\/login\.html/);

  await owner.getByRole('link', { name: '设置新密码' }).click();
  await owner.getByLabel('账号').fill(old);
  await owner.getByRole('button', { name: '发送验证码' }).click();
  await owner.getByLabel('验证码').fill(await mailSite.smtp.waitForCode(old));
  await owner.getByLabel('新密码').fill('three quiet mountains');
  await owner.getByRole('button', { name: '更新密码' }).click();
  await expect(owner.getByText('密码已更新')).toBeVisible();
  const back = await signIn(mailSite.url, { account: old, password: 'three quiet mountains' });
  expect(back.user).toMatchObject({ id: reader.user.id, email: old });

  await owner.goto('/home');
  await owner.goto(link);
  await expect(owner.getByRole('heading', { name: '链接不能用了' })).toBeVisible();
  await expectAccessible(owner);
  await context?.close();
});

test('accepts a code to the old address instead of the password, also for creating a token', {
  tag: '@long',
}, async ({ page, mailSite, browserErrors }) => {
  browserErrors.allow(/status of 401/);
  const writer = await newWriter(mailSite.url);
  const email = 'writer@reader.test';
  await bindEmail(mailSite, writer, email);
  await expireReauth(mailSite);
  await storeSession(page, writer);
  await page.goto(settings);
  await page.getByRole('button', { name: '新建令牌' }).click();
  const form = page.getByRole('dialog', { name: '新建 API 令牌' });
  await form.getByLabel('名称').fill('持续集成');
  await form.getByLabel('读文章').check();
  await form.getByRole('button', { name: '新建令牌' }).click();
  await question(page)
    .getByRole('button', { name: `改用验证码，发到 ${email}` })
    .click();
  await expect(question(page).getByLabel('验证码')).toBeFocused();
  await expectAccessible(page);
  await question(page).getByLabel('验证码').fill('000000');
  await page.keyboard.press('Enter');
  await expect(question(page).getByLabel('验证码')).toHaveAccessibleDescription(/验证码不对/);
  await question(page)
    .getByLabel('验证码')
    .fill(await mailSite.smtp.waitForCode(email));
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('令牌', { exact: true })).toHaveValue(/^mzt_/);
  await form.getByRole('button', { name: '我已收好' }).click();

  // The notice links to the same page.
  await page.goto('/account/center.html?tab=notice');
  const notice = page.getByRole('article').filter({ hasText: '新建了 API 令牌「持续集成」' });
  await notice.getByRole('link', { name: '去看看' }).click();
  await expect(page.getByRole('heading', { name: '这不是我本人操作' })).toBeVisible();
  await page.getByRole('button', { name: '不是我，确认撤销' }).click();
  await expect(page.getByRole('heading', { name: '已撤销' })).toBeVisible();
  await expect(writer.call('GET core/user/')).rejects.toThrow('SIGN_IN_REQUIRED');
});

test('changing the own account name in the back office requires re-authentication', async ({
  page,
  mailSite,
}) => {
  const admin = await signIn(mailSite.url, ADMIN);
  await expireReauth(mailSite);
  await storeSession(page, admin);
  await page.goto('/admin/account');
  await page.getByRole('row').filter({ hasText: 'admin' }).getByRole('button', { name: /编辑/ }).click();
  const drawer = page.getByRole('dialog', { name: '编辑账号「admin」' });
  await drawer.getByLabel('账号').fill('administrator');
  await drawer.getByRole('button', { name: '保存' }).click();
  const reauthDialog = page.getByRole('dialog', { name: '确认是你本人' });
  await reauthDialog.getByLabel('登录密码').fill(ADMIN.password);
  await reauthDialog.getByRole('button', { name: '确认' }).click();
  await expect(page.getByText('已保存')).toBeVisible();
  const { call } = await signIn(mailSite.url, { ...ADMIN, account: 'administrator' });
  await call('PUT core/sys/account/', { id: admin.user.id, account: ADMIN.account });
});
