import { expectAccessible } from '../support/accessibility.ts';
import { button, expect, LARGE_ONLY, panel, row, test, unique } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'creates, tests and edits an endpoint; its log displays the results',
  LARGE_ONLY,
  async ({ page, admin, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    const name = `同步${unique()}`;
    await storeSession(page, admin);
    await page.goto('/admin/webhook');
    await button(page, '新建外部通知').click();
    await panel(page).getByLabel('名称').fill(name);
    await panel(page).getByLabel('网址').fill('https://127.0.0.1/hook');
    await panel(page).getByLabel('事件').click();
    await page.getByTitle('订单付款（order.paid）').click();
    await panel(page).getByLabel('名称').click();
    await button(panel(page), '保存').click();
    await expect(panel(page).getByText('不能发往本机或内网的地址').last()).toBeVisible();
    await panel(page).getByLabel('网址').fill('https://nobody.invalid/hook');
    await button(panel(page), '保存').click();

    await expect(panel(page).getByRole('textbox', { name: '密钥' })).toHaveValue(/^whsec_/);
    await expect(panel(page)).toContainText('X-Mozhan-Signature');
    await expectAccessible(page);
    await button(panel(page), '关闭').click();
    await expect(row(page, name)).toContainText('订单付款');

    await button(page, `发送测试：${name}`).click();
    await expect(panel(page)).toContainText('域名');
    await expect(panel(page)).toContainText('下次尝试');
    await expectAccessible(page);
    await button(panel(page), '关闭').click();

    await button(page, `编辑：${name}`).click();
    await panel(page).getByLabel('名称').fill(`${name}改`);
    await button(panel(page), '保存').click();
    await page.getByRole('switch', { name: `启用：${name}改` }).click();
    await expect(page.getByText(`已停用「${name}改」`)).toBeVisible();

    await page.getByRole('link', { name: `记录：${name}改` }).click();
    await expect(row(page, `${name}改`)).toHaveCount(1);
    await expect(row(page, `${name}改`)).toContainText('失败');
    await expectAccessible(page);
    await page.getByRole('combobox', { name: '状态' }).click();
    await page.getByTitle('已送达').click();
    await expect(page.getByText('没有符合条件的投递记录')).toBeVisible();

    await page.getByRole('link', { name: '接收地址' }).click();
    await button(page, `删除：${name}改`).click();
    await button(panel(page), '删除').click();
    await expect(row(page, name)).toHaveCount(0);
  },
);

test('denies access without the permission and hides the menu', async ({ page, admin, baseURL }) => {
  await storeSession(page, await newStaff(admin, baseURL ?? '', 'operator'));
  await page.goto('/admin/webhook');
  await expect(page.getByRole('heading', { level: 1, name: '没有打开这个页面的权限' })).toBeVisible();
  await expect(page.getByRole('link', { name: '外部通知' })).toHaveCount(0);
});
