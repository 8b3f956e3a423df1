import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { expectAccessible } from './support/accessibility.ts';
import { publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { choosePassword } from './support/users.ts';

test('a reader downloads their data and closes the account; signing in cancels the closing', async ({
  page,
  baseURL,
  reader,
  browserErrors,
}) => {
  browserErrors.allow(/status of 401/);
  const { id: essayId } = await publishEssay(baseURL);
  await reader.call('POST core/essay/cmt', { essayId, content: '带得走的一句话' });
  const order = { kind: 'recharge', amount: 1000, payBy: 'sandbox' } as const;
  const { id } = await reader.call('POST core/user/order', order);
  await reader.call('PUT core/user/order', { id, action: 'pay' });

  await page.goto('/account/settings.html?tab=security');
  const part = page.getByRole('region', { name: '我的数据' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    part.getByRole('button', { name: '下载数据' }).click(),
  ]);
  const files = Object.values(unzipSync(await readFile(await download.path())));
  expect(files.map((file) => strFromU8(file)).join()).toContain('带得走的一句话');

  await part.getByRole('button', { name: '注销账号' }).click();
  const form = page.getByRole('dialog', { name: '注销账号' });
  const close = form.getByRole('button', { name: '注销账号' });
  const question = page.getByRole('alertdialog', { name: '注销账号？' });
  await form.getByLabel('登录密码').fill('not the password');
  await expect(close).toBeDisabled();
  await form.getByRole('checkbox', { name: '放弃余额 ¥ 10.00' }).check();
  await expectAccessible(page);
  await form.getByLabel('登录密码').press('Enter');
  await question.getByRole('button', { name: '取消' }).click();
  await expect(question).toBeHidden();
  await close.click();
  await question.getByRole('button', { name: '注销账号' }).click();
  await expect(form.getByLabel('登录密码')).toHaveAccessibleDescription(/账号或密码不对/);
  await form.getByLabel('登录密码').fill(reader.password);
  await close.click();
  await question.getByRole('button', { name: '注销账号' }).click();
  await expect(page.getByText(/账号将在 \d+ 月 \d+ 日注销/)).toBeVisible();
  await expect(page).toHaveURL(/\/login\.html/);
  await expect(reader.call('GET core/user/')).rejects.toThrow('SIGN_IN_REQUIRED');

  await choosePassword(page);
  await page.getByLabel('账号').fill(reader.account);
  await page.getByLabel('密码', { exact: true }).fill(reader.password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).toHaveURL(/\/account\/settings\.html/);
  await page.goto('/account/center.html?tab=notice');
  await expect(page.getByText('注销账号的申请已撤销')).toBeVisible();
});
