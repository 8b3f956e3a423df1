import { startTestSmtp, type TestSmtp } from '@mozhan/server/testing/smtp.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { test as base, button, expect } from '../support/office.ts';
import { ADMIN, startServer } from '../support/server.ts';
import { newStaff } from '../support/staff.ts';
import { register, signIn, storeSession, type TestUser } from '../support/users.ts';

interface MailSite {
  url: string;
  admin: TestUser;
  smtp: TestSmtp;
}

/** A site that sends its mails to a local SMTP server. */
const test = base.extend<object, { mailSite: MailSite }>({
  mailSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const smtp = await startTestSmtp();
      const server = await startServer(`mail-${workerIndex}`, {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'noreply@example.com',
      });
      await use({ url: server.url, admin: await signIn(server.url, ADMIN), smtp });
      await server.stop();
      smtp.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ mailSite }, use) => {
    await use(mailSite.url);
  },
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('tests the mail server, shows its answers and the templates', async ({ page, mailSite }) => {
  const { admin, smtp, url } = mailSite;
  await storeSession(page, admin);
  await page.goto('/admin/mail');
  await expect(page.getByText('noreply@example.com')).toBeVisible();
  await expect(page.getByText('还没有用现在的服务器测试过')).toBeVisible();
  await page.getByLabel('发到').fill('me@example.com');
  await button(page, '发送测试邮件').click();
  await expect(page.getByRole('status')).toContainText('邮件服务器收下了发往 me@example.com 的邮件');
  await expect(page.getByRole('status')).toContainText('250');
  await smtp.waitForMail('me@example.com', '邮件已经配置好');
  await expect(page.getByRole('row').filter({ hasText: 'me@example.com' })).toContainText('已发出');
  await expect(page.getByText('还没有用现在的服务器测试过')).toBeHidden();
  await expectAccessible(page);

  smtp.refuse('nobody@example.com', 550, '5.1.1 No such user here');
  await page.getByLabel('发到').fill('nobody@example.com');
  await button(page, '发送测试邮件').click();
  await expect(page.getByRole('alert')).toContainText('收件地址被退回');
  await expect(page.getByRole('alert')).toContainText('No such user here');
  await page.goto('/admin/mail?status=failed');
  await expect(page.getByRole('row').filter({ hasText: 'nobody@example.com' })).toContainText('已退回');

  await page.goto('/admin/mail?tab=template');
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('246810')).toBeVisible();
  await page.getByText('纯文本', { exact: true }).click();
  await expect(page.getByText('验证码是：', { exact: false })).toBeVisible();
  await expectAccessible(page);

  await storeSession(page, await newStaff(admin, url, 'operator'));
  await page.goto('/admin/mail');
  await expect(page.getByRole('heading', { name: '没有打开这个页面的权限' })).toBeVisible();
});

test('tells a user that mails to the address were returned', async ({ page, mailSite }) => {
  const { admin, smtp, url } = mailSite;
  const reader = await register(url);
  const address = `${Math.random().toString(36).slice(2, 10)}@example.com`;
  await reader.call('POST core/account/code', { purpose: 'bind', target: address });
  const code = await smtp.waitForCode(address);
  await reader.call('PUT core/account/code', { purpose: 'bind', target: address, code });
  smtp.refuse(address, 550, '5.1.1 No such user here');
  await admin.call('POST core/sys/mail/test', { to: address });
  await storeSession(page, reader);
  await expect(async () => {
    await page.goto('/account/settings.html?tab=security');
    await expect(page.getByText('收件地址被退回')).toBeVisible({ timeout: 30_000 });
  }).toPass();
  await expect(page.getByRole('button', { name: '更换或重新验证' })).toBeVisible();
});
