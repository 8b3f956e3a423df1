import { readFile } from 'node:fs/promises';
import { WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { button, expect, LARGE_ONLY, test as office, panel, row, unique } from './support/office.ts';
import { startServer } from './support/server.ts';
import { newStaff } from './support/staff.ts';
import { register, storeSession, type TestUser } from './support/users.ts';

/** A separate site with the sandbox on, where prices may be changed; opened by finance staff. */
const test = office.extend({
  open: async ({ open, admin, url }, use) => {
    const staff = await newStaff(admin, url, 'finance');
    await use((path) => open(path, staff));
  },
});
test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** A reader with a balance, paid through the sandbox. */
async function newPayer(url: string, amount: number): Promise<TestUser> {
  const person = await register(url, { displayName: `读者${unique()}` });
  const { id } = await person.call('POST core/user/order', { kind: 'recharge', amount, payBy: 'sandbox' });
  await person.call('PUT core/user/order', { id, action: 'pay' });
  return person;
}

/** A new reader buys an essay of a new writer from the balance. */
async function sellEssay(url: string, price: number) {
  const writer = await newWriter(url, { displayName: `作者${unique()}` });
  const { id, title } = await publishEssay(url, { writer, price });
  const buyer = await newPayer(url, price);
  const order = await buyer.call('POST core/user/order', { kind: 'read', targetId: id, payBy: 'balance' });
  return { writer, buyer, order, essay: { id, title } };
}

const walletOf = (person: TestUser) => person.call('GET core/user/wallet', {});
const noticesOf = async (person: TestUser) => {
  const { list } = await person.call('GET core/user/notice', { kind: 'system' });
  return list.map((notice) => notice.text).join('\n');
};

test(
  'finds an order with its entries and invoice, and refunds it; the ledger stays balanced',
  LARGE_ONLY,
  async ({ page, open, url }) => {
    const { writer, buyer, order, essay } = await sellEssay(url, 1990);
    await buyer.call('PUT core/user/order/invoice', {
      id: order.id,
      title: '墨栈测试有限公司',
      taxNo: '91310000MA1FL0L00X',
      email: 'fapiao@example.com',
    });
    await open('/order?invoice=1');
    await page.getByLabel('单号，或付款人昵称、账号的开头').fill(order.no);
    await button(page, '搜索').click();
    const found = row(page, order.no);
    await expect(found).toContainText('¥ 19.90');
    await expect(found).toContainText('已支付');
    await expectAccessible(page);
    const saving = page.waitForEvent('download');
    await button(page, '导出 CSV').click();
    const file = await readFile(await (await saving).path(), 'utf8');
    expect(file).toContain(`'${order.no}`);
    expect(file).toContain('墨栈测试有限公司,91310000MA1FL0L00X,fapiao@example.com');

    await button(found, `详情：${order.no}`).click();
    await expect(panel(page).getByRole('region', { name: '发票' })).toContainText('91310000MA1FL0L00X');
    const entries = panel(page).getByRole('region', { name: '分录' });
    await expect(entries).toContainText(`作者收益 · ${writer.user.displayName}`);
    await expect(entries).toContainText('+¥ 17.91');
    await button(panel(page), '退款').click();
    const effects = panel(page).getByRole('list', { name: '退款会做什么' });
    await expect(effects).toContainText(`¥ 19.90 全额退还：到「${buyer.user.displayName}」的余额`);
    await expect(effects).toContainText(`从「${writer.user.displayName}」的收益中扣回 ¥ 17.91`);
    await button(panel(page), '退款 ¥ 19.90').click();
    await expect(panel(page).getByText('请写明理由')).toBeVisible();
    await panel(page).getByLabel('退款理由').fill('买错了');
    await button(panel(page), '退款 ¥ 19.90').click();
    await expect(found).toContainText('已退款');
    expect(await walletOf(buyer)).toMatchObject({ balance: 1990 });
    expect(await walletOf(writer)).toMatchObject({ earnings: 0 });
    expect(await noticesOf(buyer)).toContain('买错了');

    await page.getByRole('link', { name: '账本', exact: true }).click();
    await expect(page.getByText('账本平衡')).toBeVisible();
    await expect(page.getByText('所有账户之和 ¥ 0.00')).toBeVisible();
    await expect(row(page, essay.title).filter({ hasText: '退款' }).first()).toContainText('-¥ 17.91');
    await expectAccessible(page);
  },
);

test(
  'approves and refuses withdrawals from the dashboard; none can be paid while the sandbox is on',
  LARGE_ONLY,
  async ({ page, open, url }) => {
    const { writer } = await sellEssay(url, 5000);
    const ask = (amount: number) =>
      writer.call('POST core/user/withdraw', { amount, account: `招商银行 ${amount}`, realName: '林砚' });
    await ask(1000);
    await ask(2050);
    expect(await walletOf(writer)).toMatchObject({ earnings: 1450, withdrawing: 3050 });
    await open('/');
    await expect(page.getByRole('region', { name: '收入' })).toContainText('流水');
    await page.getByRole('link', { name: /待审批提现/ }).click();
    await expect(page.getByText('演示收银台开着，不能打款')).toBeVisible();
    await expectAccessible(page);
    const name = writer.user.displayName;
    const [first, second] = [row(page, '招商银行 1000'), row(page, '招商银行 2050')];
    await button(first, `批准：${name}`).click();
    await expect(panel(page)).toContainText('林砚（招商银行 1000）');
    await button(panel(page), '批准').click();
    await expect(page.getByText(`已批准「${name}」的提现`)).toBeVisible();
    await button(second, `拒绝：${name}`).click();
    await panel(page).getByLabel('理由').fill('账号与姓名不符');
    await button(panel(page), '拒绝').click();
    await expect(second).toBeHidden();
    expect(await walletOf(writer)).toMatchObject({ earnings: 3500, withdrawing: 1000 });
    expect(await noticesOf(writer)).toContain('账号与姓名不符');

    await page.goto(`/admin/withdraw?status=1`);
    await expect(first).toContainText('已批准，待打款');
    await expect(button(first, `拒绝：${name}`)).toBeVisible();
    await expect(button(first, `记为已打款：${name}`)).toBeHidden();
  },
);

test(
  'approves several withdrawals at once and reports failures',
  LARGE_ONLY,
  async ({ page, open, admin, url, browserErrors }) => {
    browserErrors.allow(/409|422/);
    const { writer } = await sellEssay(url, 5000);
    const ask = (amount: number) =>
      writer.call('POST core/user/withdraw', { amount, account: `批量 ${amount}`, realName: '林砚' });
    await ask(1100);
    const second = await ask(1200);
    await open('/withdraw');
    await page.getByLabel('完整的单号，或昵称、账号的开头').fill(writer.user.displayName);
    await button(page, '搜索').click();
    await expect(row(page, '批量 1200')).toBeVisible();
    await expect(row(page, '批量 1100')).toBeVisible();
    await page.getByRole('checkbox', { name: '选择本页全部' }).check();
    // Somebody else refuses one meanwhile.
    await admin.call('PUT core/sys/withdraw/', {
      id: second.id,
      status: WITHDRAWAL_STATUS.refused,
      reason: '账号不对',
    });
    await button(page, '批准').click();
    await expect(panel(page)).toContainText('批准这 2 笔提现，共 ¥ 23.00？');
    await button(panel(page), '批准').click();
    await expect(page.getByRole('dialog').filter({ hasText: '1 项没有成功' })).toBeVisible();
    await button(page, '知道了').click();
    expect(await walletOf(writer)).toMatchObject({ earnings: 3400, withdrawing: 1100 });
  },
);

test(
  'marks a withdrawal as paid when the sandbox is off',
  LARGE_ONLY,
  async ({ browser, admin, ownSite, url }) => {
    const { writer } = await sellEssay(url, 5000);
    const staff = await newStaff(admin, url, 'finance');
    const { id, no } = await writer.call('POST core/user/withdraw', {
      amount: 2050,
      account: '招商银行 2050',
    });
    await staff.call('PUT core/sys/withdraw/', { id, status: WITHDRAWAL_STATUS.approved });
    const { databaseUrl: DATABASE_URL, keyFile: SECRET_KEY } = ownSite;
    const site = await startServer('pays-out', { DATABASE_URL, SECRET_KEY, PAY_SANDBOX: 'off' });
    const page = await (await browser.newContext({ baseURL: site.url })).newPage();
    try {
      await storeSession(page, staff);
      await page.goto('/admin/withdraw?status=1');
      await expect(page.getByText(/账本里有 ¥ [\d,]+\.\d\d 不是真钱/)).toBeVisible();
      await button(row(page, no), `记为已打款：${writer.user.displayName}`).click();
      await button(panel(page), '记为已打款').click();
      await expect(panel(page).getByText('请填写打款流水号')).toBeVisible();
      await panel(page).getByLabel('打款流水号').fill('BANK-2050');
      await expectAccessible(page);
      await button(panel(page), '记为已打款').click();
      await expect(row(page, no)).toBeHidden();
      await page.goto('/admin/withdraw?status=3');
      await expect(row(page, no)).toContainText('已打款');
      expect(await walletOf(writer)).toMatchObject({ earnings: 2450, withdrawing: 0 });
      expect(await noticesOf(writer)).toContain('已打款，流水号 BANK-2050');
    } finally {
      await page.context().close();
      await site.stop();
    }
  },
);

test(
  'changes prices, tiers and plans in yuan; grants membership days with a reason',
  LARGE_ONLY,
  async ({ page, open, admin, url }) => {
    const prices = () => admin.call('GET core/fina/price/', {});
    await open('/price?kind=reward');
    await button(page, '修改规则').click();
    await panel(page).getByLabel('提现下限').fill('10.299');
    await button(panel(page), '保存').click();
    await expect(panel(page).getByText('请填写金额，例如 9.90')).toBeVisible();
    await panel(page).getByLabel('提现下限').fill('8.29');
    await panel(page).getByLabel('可退款的天数').fill('15');
    await button(panel(page), '保存').click();
    await expect(page.getByRole('region', { name: '规则' })).toContainText('¥ 8.29');
    expect(await prices()).toMatchObject({ withdrawMin: 829, refundDays: 15, rewardMax: 50_000 });
    await expectAccessible(page);

    const add = async (amount: string) => {
      await button(page, '新增金额').click();
      await panel(page).getByLabel('金额').fill(amount);
      await button(panel(page), '保存').click();
    };
    await add('6.66');
    await expect(row(page, '¥ 6.66')).toBeVisible();
    await add('6.66');
    await expect(panel(page).getByText('已有这一档金额')).toBeVisible();
    await panel(page).getByLabel('金额').fill('1000');
    await button(panel(page), '保存').click();
    await expect(panel(page).getByText('请填写 1.00 到 500.00 元')).toBeVisible();
    await button(panel(page), '取消').click();
    await button(panel(page), '放弃').click();
    await page.getByRole('switch', { name: '启用：¥ 6.66' }).click();
    await expect(page.getByText('已停用 ¥ 6.66')).toBeVisible();
    await button(page, '删除：¥ 6.66').click();
    await button(panel(page), '删除').click();
    await expect(row(page, '¥ 6.66')).toBeHidden();

    const person = await register(url, { displayName: `读者${unique()}` });
    await page.goto('/admin/member?tab=plan');
    await button(page, '新建方案').click();
    await panel(page).getByLabel('名称').fill('周会员');
    await panel(page).getByLabel('天数').fill('7');
    await panel(page).getByLabel('价格').fill('4.90');
    await button(panel(page), '保存').click();
    await expect(row(page, '周会员')).toContainText('¥ 4.90');
    await button(page, '编辑：周会员').click();
    await panel(page).getByLabel('价格').fill('5.5');
    await button(panel(page), '保存').click();
    await expect(row(page, '周会员')).toContainText('¥ 5.50');
    await button(page, '删除：周会员').click();
    await button(panel(page), '删除').click();
    await expect(row(page, '周会员')).toBeHidden();

    await page.getByRole('link', { name: '会员', exact: true }).click();
    await button(page, '赠送会员').click();
    await panel(page).getByRole('combobox').fill(person.user.displayName);
    await page.getByTitle(person.user.displayName).click();
    await panel(page).getByLabel('理由').fill('感谢指正');
    await button(panel(page), '赠送').click();
    await button(page, `来历：${person.user.displayName}`).click();
    await expect(panel(page)).toContainText('+30 天');
    await expect(panel(page)).toContainText('感谢指正');
    expect((await person.call('GET core/member/', {})).mine?.isMember).toBe(true);
  },
);

test(
  'reconciles a day again and plots revenue; an auditor has no access',
  LARGE_ONLY,
  async ({ page, open, admin, url, browserErrors }) => {
    browserErrors.allow(/status of 422/);
    await sellEssay(url, 990);
    await open('/finance');
    await expect(page.getByText('按类型')).toBeVisible();
    const plot = page.getByRole('slider', { name: '收入，按天' });
    await plot.press('End');
    await expect(plot).toHaveAttribute('aria-valuetext', /流水 ¥ [\d,]+\.\d\d，平台收入/);
    await expectAccessible(page);
    await page.getByRole('link', { name: '对账', exact: true }).click();
    await button(page, '重新对账').click();
    const chosen = panel(page).getByLabel('哪一天');
    const yesterday = await chosen.inputValue();
    await chosen.fill(new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10));
    await button(panel(page), '对账').click();
    await expect(panel(page).getByText('只能对今天以前的日期对账')).toBeVisible();
    await chosen.fill(yesterday);
    await button(panel(page), '对账').click();
    await expect(page.getByText(`${yesterday} 对账完成，全部一致`)).toBeVisible();
    const report = row(page, '演示收银台').filter({ hasText: yesterday });
    await expect(report).toContainText('一致');
    await report.getByRole('button', { name: /展开|Expand/ }).click();
    await expect(page.getByRole('table', { name: '三方数字' })).toContainText('对账单');
    await expectAccessible(page);

    const auditor = await newStaff(admin, url, 'auditor');
    await storeSession(page, auditor);
    await page.goto('/admin/');
    await expect(page.getByRole('link', { name: /待审核文章/ })).toBeVisible();
    await expect(page.getByRole('navigation', { name: '后台菜单' })).not.toContainText('财务');
    await expect(page.getByRole('region', { name: '收入' })).toBeHidden();
    for (const path of ['order', 'price']) {
      await page.goto(`/admin/${path}`);
      await expect(page.getByText('没有打开这个页面的权限')).toBeVisible();
    }
    await expect(auditor.call('GET core/sys/ledger/', {})).rejects.toThrow('FORBIDDEN');
  },
);
