import { readFile } from 'node:fs/promises';
import { APPLICATION_STATUS, FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter } from '../support/essays.ts';
import { button, expect, LARGE_ONLY, panel, row, test, unique } from '../support/office.ts';
import { newStaffWith } from '../support/staff.ts';
import { register } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const selectRow = (page: Page, name: string) => page.getByRole('checkbox', { name: `选择${name}` }).check();

async function search(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).fill(text);
  await page.getByLabel(label).press('Enter');
}

async function filter(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByTitle(option, { exact: true }).last().click();
}

test(
  'users: filters, sorts, opens details, makes writers in bulk, and clears profiles',
  LARGE_ONLY,
  async ({ page, open, ownSite: { url } }) => {
    const tag = `群${unique()}`;
    const people = [
      await register(url, { displayName: `${tag}一` }),
      await register(url, { displayName: `${tag}二` }),
    ] as const;
    await people[0].call('PUT core/user/', { bio: '骂人的话' });
    await open('/user');
    await search(page, '昵称，或账号、邮箱的开头', tag);
    await expect(page.getByText('共 2 条')).toBeVisible();
    await page.getByRole('columnheader', { name: '注册时间' }).click();
    await expect(page).toHaveURL(/sort=createdAt&order=0/);
    await expect(page.getByRole('row').nth(1)).toContainText(`${tag}一`);

    await selectRow(page, `${tag}一`);
    await selectRow(page, `${tag}二`);
    await button(page, '设为作者').click();
    await button(panel(page), '确定').click();
    await expect(page.getByText('已设为作者 2 项')).toBeVisible();
    await filter(page, '身份', '读者');
    await expect(page.getByText('没有符合条件的用户')).toBeVisible();
    await filter(page, '身份', '作者');
    await expect(page.getByText('共 2 条')).toBeVisible();

    await button(page, `详情：${tag}一`).click();
    await expect(panel(page).getByText('骂人的话')).toBeVisible();
    await expect(panel(page).getByRole('link', { name: '登录设备', exact: true })).toBeVisible();
    await expectAccessible(page);
    await button(panel(page), '清空资料').click();
    await panel(page).getByRole('combobox', { name: '清空什么' }).click();
    await page.getByTitle('简介', { exact: true }).last().click();
    await page.keyboard.press('Escape');
    await button(panel(page), '清空').click();
    await expect(page.getByText(`已清空「${tag}一」的资料`)).toBeVisible();
    await expect(page.getByText('骂人的话')).toBeHidden();
    const { list } = await people[0].call('GET core/user/notice', { kind: 'system' });
    expect(list[0]?.text).toContain('你的简介不符合社区规范');
  },
);

test(
  'finds applications by name and answers them in bulk with a reason',
  LARGE_ONLY,
  async ({ page, open, ownSite: { url } }) => {
    const tag = `申${unique()}`;
    const people = await Promise.all(
      ['一', '二'].map((each) => register(url, { displayName: `${tag}${each}` })),
    );
    for (const person of people)
      await person.call('POST core/user/apply', {
        realName: '欧阳测试',
        field: '数据库',
        intro: '写了十年数据库内核，想把踩过的坑讲给后来的人听。',
        works: [],
        contact: 'lin@example.com',
      });
    await open('/apply');
    await search(page, '昵称、账号或姓名的开头', tag);
    await selectRow(page, `${tag}一`);
    await selectRow(page, `${tag}二`);
    await button(page, '不通过').click();
    await panel(page).getByLabel('理由').fill('请补充代表作');
    await button(panel(page), '不通过').click();
    await expect(page.getByText('已拒绝 2 项')).toBeVisible();
    await expect(page.getByText('没有符合条件的专家申请')).toBeVisible();
    for (const person of people)
      expect(await person.call('GET core/user/apply', {})).toMatchObject({
        status: APPLICATION_STATUS.refused,
        reason: '请补充代表作',
      });
  },
);

test(
  "accounts: one's own keeps its password, several are disabled only when sure, and nobody's change is undone",
  LARGE_ONLY,
  async ({ page, open, ownSite: { admin } }) => {
    const tag = `acc-${unique()}`;
    const ids = [];
    for (const end of ['1', '2'])
      ids.push(
        (await admin.call('POST core/sys/account/', { account: `${tag}-${end}`, password: `first ${tag}` }))
          .id,
      );
    const enabledOf = async (id = '') => {
      const found = await admin.call('GET core/sys/account/', { id });
      return 'enabled' in found ? found.enabled : undefined;
    };
    await open(`/account?keyword=${admin.account}`);
    await expect(button(page, `编辑：${admin.account}`)).toBeVisible();
    await expect(button(page, `重置密码：${admin.account}`)).toBeHidden();
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await expect(page.getByText(/^已选/)).toBeVisible();
    await expect(button(page, '删除')).toBeHidden();

    // A colleague disables one meanwhile.
    await page.goto(`/admin/account?keyword=${tag}&staff=0`);
    await button(page, `编辑：${tag}-1`).click();
    await panel(page).getByLabel('昵称').fill('换了名字');
    await admin.call('PUT core/sys/account/', { id: ids[0] ?? '', enabled: FLAG.off });
    await button(panel(page), '保存').click();
    await expect(row(page, '换了名字')).toContainText('停用');
    expect(await enabledOf(ids[0])).toBe(0);
    await admin.call('PUT core/sys/account/', { id: ids[0] ?? '', enabled: FLAG.on });

    await button(page, '刷新').click();
    await expect(row(page, '换了名字')).toContainText('启用');
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    await button(page, '停用').click();
    const question = page.getByRole('dialog', { name: '停用这 2 个账号？' });
    await button(question, '取消').click();
    expect(await enabledOf(ids[1])).toBe(1);
    await button(page, '停用').click();
    await button(question, '停用').click();
    await expect(page.getByText('已停用 2 项')).toBeVisible();
    expect(await enabledOf(ids[1])).toBe(0);
  },
);

test(
  'clears the selection after a bulk grant of membership days',
  LARGE_ONLY,
  async ({ page, open, ownSite: { admin, url } }) => {
    const tag = `员${unique()}`;
    for (const end of ['一', '二']) {
      const { user } = await register(url, { displayName: tag + end });
      await admin.call('PUT core/member/user', { userId: user.id, days: 1, reason: '试用' });
    }
    await open('/member');
    await search(page, '昵称、账号或邮箱的开头', tag);
    await selectRow(page, `${tag}一`);
    await selectRow(page, `${tag}二`);
    await button(page, '赠送').click();
    await panel(page).getByLabel('理由').fill('感谢指正');
    await button(panel(page), '赠送').click();
    await expect(page.getByText('已赠送 2 项')).toBeVisible();
    await expect(page.getByText(/^已选/)).toBeHidden();
  },
);

test(
  'roles and menus: filters and bulk-disables; cannot grant permissions that the staff member lacks',
  LARGE_ONLY,
  async ({ page, open, ownSite: { admin, url } }) => {
    const names = [`甲${unique()}`, `乙${unique()}`];
    for (const name of names)
      await admin.call('POST core/sys/role/', { name, code: `r-${unique()}`, enabled: FLAG.on });
    await open('/role?enabled=1');
    for (const name of names) await selectRow(page, name);
    await button(page, '停用').click();
    await button(page.getByRole('dialog', { name: '停用这 2 个角色？' }), '停用').click();
    await expect(page.getByText('已停用 2 项')).toBeVisible();
    await expect(row(page, names[0] ?? '')).toBeHidden();

    await page.goto('/admin/menu');
    await search(page, '搜索菜单名、路径或权限', 'role:grant');
    await expect(row(page, 'role:grant')).toBeVisible();
    await expect(row(page, 'essay:list')).toBeHidden();
    const saving = page.waitForEvent('download');
    await button(page, '导出 CSV').click();
    expect(await readFile(await (await saving).path(), 'utf8')).toContain('role:grant');

    await open('/role', await newStaffWith(admin, url, ['role:list', 'role:grant', 'menu:list']));
    await button(page, '菜单权限：运营').click();
    const item = (name: string) => panel(page).getByRole('treeitem', { name: new RegExp(`^${name}`) });
    await expect(panel(page).getByText('你不能给出或收回')).toBeVisible();
    await expect(item('修改用户')).toContainText('你没有');
    await expect(item('修改用户').locator('.ant-tree-checkbox-disabled')).toHaveCount(1);
    await expect(item('设置角色的菜单').getByText('你没有')).toHaveCount(0);
    await expectAccessible(page);
  },
);

test(
  'money: filters orders by amount and entries by number, sorts plans by price',
  LARGE_ONLY,
  async ({ page, open, ownSite: { url } }) => {
    const payer = await register(url, { displayName: `付${unique()}` });
    const orders = [];
    for (const amount of [3000, 1000, 2000])
      orders.push(await payer.call('POST core/user/order', { kind: 'recharge', amount, payBy: 'sandbox' }));
    await payer.call('PUT core/user/order', { id: orders[0]?.id ?? '', action: 'pay' });
    await open(`/order?userId=${payer.user.id}`);
    await expect(page.getByText('共 3 条')).toBeVisible();
    await page.getByRole('columnheader', { name: '金额' }).click();
    await expect(page.getByRole('row').nth(1)).toContainText('¥ 30.00');
    await page.getByLabel('最少（元）').fill('15');
    await page.getByLabel('最少（元）').press('Enter');
    await expect(page.getByText('共 2 条')).toBeVisible();
    await expect(page).toHaveURL(/least=1500/);

    await page.goto('/admin/ledger');
    await search(page, '搜索订单号、交易号、提现单号', orders[0]?.no ?? '');
    await expect(page.getByText('共 1 条')).toBeVisible();
    await expect(page.getByRole('row').nth(1)).toContainText('¥ 30.00');

    await page.goto('/admin/member?tab=plan&sort=price&order=1');
    await expect(page.getByRole('columnheader', { name: '价格' })).toHaveAttribute('aria-sort', 'descending');
  },
);

test('searches the log by target and day', LARGE_ONLY, async ({ page, open, ownSite: { admin, url } }) => {
  const { user } = await newWriter(url, { displayName: `志${unique()}` });
  await admin.call('PUT core/sys/user/', { id: user.id, curIdentity: IDENTITY.reader });
  await open(`/log?target=user:${user.id}`);
  await expect(page.getByText(/只看一个对象/)).toBeVisible();
  await expect(page.getByRole('cell', { name: '修改用户' }).first()).toBeVisible();
  await page.getByLabel('结束日期').fill('2020-01-01');
  await expect(page.getByText('没有符合条件的操作日志')).toBeVisible();
  await expectAccessible(page);
});

test(
  'previews unsaved settings, which nobody else sees',
  LARGE_ONLY,
  async ({ page, open, applySettings, ownSite: { admin } }) => {
    await applySettings({});
    await open('/setting');
    await page.getByLabel('站名').fill('试一试');
    await page.getByLabel('主色', { exact: true }).fill('#1677ff');
    await button(page, '预览').click();
    const home = page.frameLocator('iframe');
    await expect(home.getByRole('link', { name: /试一试/, includeHidden: true }).first()).toBeVisible();
    await expect(home.locator('link[href$="brand.css?c=1677ff"]')).toHaveCount(1);
    await panel(page).getByText('手机', { exact: true }).click();
    await expect(page.getByTitle('首页在手机上')).toBeVisible();
    await expect(home.getByRole('link', { name: /试一试/, includeHidden: true }).first()).toBeVisible();
    await expectAccessible(page);
    await panel(page).getByRole('button', { name: '关闭' }).click();
    await expect(page.getByText('2 项改动没有保存')).toBeVisible();
    expect((await admin.call('GET core/site/', {})).settings.title).toBe('墨栈');
  },
);

/** Simulates returning to the tab, which refetches everything. */
async function returnToTab(page: Page, path: string): Promise<void> {
  await page.clock.setFixedTime((await page.evaluate(() => Date.now())) + 60_000);
  const answer = page.waitForResponse((response) => response.url().includes(path));
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await answer;
}

test(
  'a colleague’s save during editing is neither counted as a change nor overwritten',
  LARGE_ONLY,
  async ({ page, open, applySettings, ownSite: { admin } }) => {
    await applySettings({});
    await open('/setting');
    await page.getByLabel('站名').fill('换了站名');
    await admin.call('PUT core/sys/setting/', { tagline: '同事写的' });
    await returnToTab(page, 'core/sys/setting');
    await expect(page.getByText('1 项改动没有保存')).toBeVisible();
    await button(page, '保存').click();
    await expect(page.getByText('没有改动')).toBeVisible();
    await expect(page.getByRole('textbox', { name: '一句话介绍' })).toHaveValue('同事写的');
    expect(await admin.call('GET core/sys/setting/', {})).toMatchObject({
      title: '换了站名',
      tagline: '同事写的',
    });
    await applySettings({});

    const { refundDays, inviteDays } = await admin.call('GET core/fina/price/', {});
    await page.goto('/admin/price');
    await button(page, '修改规则').click();
    await panel(page)
      .getByLabel('邀请奖励')
      .fill(String(inviteDays + 1));
    await admin.call('PUT core/fina/price/', { refundDays: refundDays + 1 });
    await returnToTab(page, 'core/fina/price');
    await button(panel(page), '保存').click();
    await expect(page.getByText('已保存')).toBeVisible();
    expect(await admin.call('GET core/fina/price/', {})).toMatchObject({
      refundDays: refundDays + 1,
      inviteDays: inviteDays + 1,
    });
    await admin.call('PUT core/fina/price/', { refundDays, inviteDays });
  },
);
