import { readFile } from 'node:fs/promises';
import { ORDER_STATUS, WITHDRAWAL_STATUS } from '@mozhan/contract/enums.ts';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { goBack } from './support/history.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const CENTRE = '/account/center.html';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const rows = (page: Page, name: string) => page.getByRole('list', { name }).getByRole('article');

async function topUp(person: TestUser, amount: number): Promise<void> {
  const { id } = await person.call('POST core/user/order', { kind: 'recharge', amount, payBy: 'sandbox' });
  await person.call('PUT core/user/order', { id, action: 'pay' });
}

async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without animations, so that colours are final.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await expectAccessible(page);
  }
}

test('a reader recharges and downloads the monthly statement', async ({ page, reader }) => {
  await page.goto(`${CENTRE}?tab=wallet`);
  await expect(region(page, '余额')).toContainText('¥ 0.00');
  await expect(page.getByRole('heading', { name: '还没有账单' })).toBeVisible();

  await page.getByRole('button', { name: '充值' }).click();
  const form = dialog(page, '充值');
  const amount = form.getByLabel('充值金额（元）');
  await amount.fill('30.505');
  await form.getByRole('button', { name: '下一步' }).click();
  await expect(amount).toHaveAccessibleDescription(/最多两位小数/);
  await amount.fill('0.99');
  await form.getByRole('button', { name: '下一步' }).click();
  await expect(amount).toHaveAccessibleDescription(/每次至少充值 ¥ 1/);
  await form.getByRole('radio', { name: '¥ 50', exact: true }).check();
  await expect(amount).toHaveValue('50.00');
  await amount.fill('30.29');
  await form.getByRole('button', { name: '下一步' }).click();

  const bill = dialog(page, '充值余额');
  await bill.getByRole('radio', { name: /演示收银台/ }).check();
  await bill.getByRole('button', { name: /支付/ }).click();
  await expect(bill.getByRole('link', { name: '打开收银台' })).toBeVisible();
  const waiting = await reader.call('GET core/user/order', { status: ORDER_STATUS.waiting });
  const id = 'list' in waiting ? waiting.list[0]?.id : undefined;
  await reader.call('PUT core/user/order', { id: id ?? '', action: 'pay' });
  await bill.getByRole('button', { name: '完成' }).click();

  await expect(region(page, '余额')).toContainText('¥ 30.29');
  await expect(rows(page, '账单').first()).toContainText('+¥ 30.29');
  await expect(page.getByRole('slider', { name: '充值，按月' })).toHaveAttribute(
    'aria-valuetext',
    /12 个月合计 ¥ 30\.29/,
  );
  await page.getByText('每月的数字').click();
  await expect(page.locator('tbody tr').first()).toContainText('¥ 30.29');
  await expectAccessibleInBoth(page);

  const month = page.getByLabel('月份');
  await month.selectOption({ index: 2 });
  await expect(page.getByRole('heading', { name: '没有这样的账单' })).toBeVisible();
  await month.selectOption({ index: 1 });
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出 CSV' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^账单-\d{4}-\d\d\.csv$/);
  const [head, line] = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(head).toBe('\ufeff时间,事由,账户,金额（元）,此后余额（元）');
  expect(line).toMatch(/^\d{4}-\d\d-\d\d [\d:]{8},充值,余额,30\.29,30\.29$/);
});

test('buys and extends a membership from the balance and requests an invoice', async ({ page, reader }) => {
  await topUp(reader, 10_000);
  await page.goto(`${CENTRE}?tab=member`);
  const panel = region(page, '会员');
  await expect(panel).toContainText('你还不是会员');
  for (const [verb, days] of [
    ['开通', '+30 天'],
    ['续费', '+90 天'],
  ]) {
    await panel.getByRole('radio', { name: new RegExp(verb === '开通' ? '月度' : '季度') }).check();
    await panel.getByRole('button', { name: new RegExp(`^${verb}`) }).click();
    const bill = dialog(page, '开通会员');
    await expect(bill.getByRole('radio', { name: /余额/ })).toBeChecked();
    await bill.getByRole('button', { name: /支付/ }).click();
    await bill.getByRole('button', { name: '完成' }).click();
    await expect(panel).toContainText('你是会员');
    await expect(rows(page, '会员期记录').first()).toContainText(days ?? '');
  }
  // Targets partly covered by the header would count as too small.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessibleInBoth(page);

  await page.goto(`${CENTRE}?tab=order`);
  await expect(rows(page, '我的订单')).toHaveCount(3);
  await page.getByLabel('类型').selectOption('会员');
  await expect(rows(page, '我的订单')).toHaveCount(2);
  await page.getByRole('link', { name: /季度.*详情/ }).click();
  const detail = dialog(page, '订单详情');
  await detail.getByRole('button', { name: '填写' }).click();
  await detail.getByLabel('税号').fill('123');
  await detail.getByRole('button', { name: '保存' }).click();
  await expect(detail.getByLabel('抬头')).toBeFocused();
  await expect(detail.getByLabel('抬头')).toHaveAccessibleDescription('请填写抬头');
  await expect(detail.getByLabel('税号')).toHaveAccessibleDescription(/15、17、18 或 20 位/);
  await detail.getByLabel('抬头').fill('墨栈测试有限公司');
  await detail.getByLabel('税号').fill('91310000ma1fl0l00x');
  await detail.getByLabel('收票邮箱').fill('fapiao@example.com');
  await detail.getByRole('button', { name: '保存' }).click();
  await expect(detail).toContainText('91310000MA1FL0L00X');
  await expectAccessible(page);
  await goBack(page);
  await expect(detail).toBeHidden();
  await expect(rows(page, '我的订单').first()).toContainText('已填发票');
});

test('a pending order can be paid or cancelled; a refund displays its reason', async ({
  page,
  baseURL,
  reader,
  admin,
}) => {
  const writer = await newWriter(baseURL);
  const essay = await publishEssay(baseURL, { writer, price: 990 });
  await topUp(reader, 990);
  const { id } = await reader.call('POST core/user/order', {
    kind: 'read',
    targetId: essay.id,
    payBy: 'balance',
  });
  await admin.call('PUT core/sys/order/refund', { id, reason: '内容与介绍不符' });
  await reader.call('POST core/user/order', { kind: 'read', targetId: essay.id, payBy: 'sandbox' });

  await page.goto(`${CENTRE}?tab=order`);
  const waiting = rows(page, '我的订单').first();
  await expect(waiting.getByRole('timer')).toHaveText(/^(29|30):\d\d$/);
  await expect(rows(page, '我的订单').nth(1)).toContainText('退款理由：内容与介绍不符');
  await expect(waiting.getByRole('link', { name: essay.title, exact: true })).toHaveAttribute(
    'href',
    `/essay/detail/${essay.id}.html`,
  );
  await waiting.getByRole('button', { name: /去支付/ }).click();
  await expect(dialog(page, '购买全文').getByRole('link', { name: '打开收银台' })).toBeVisible();
  await page.keyboard.press('Escape');
  await waiting.getByRole('button', { name: /取消/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: '取消订单' }).click();
  await expect(waiting).toContainText('已取消');
  await page.getByRole('link', { name: '已退款' }).click();
  await expect(rows(page, '我的订单')).toHaveCount(1);
});

test('a writer withdraws earnings and sees the reason of a refusal', async ({
  page,
  baseURL,
  newUser,
  admin,
}) => {
  const [writer, buyer] = await Promise.all([newWriter(baseURL), newUser()]);
  const essay = await publishEssay(baseURL, { writer, price: 10_000 });
  await topUp(buyer, 10_000);
  await buyer.call('POST core/user/order', { kind: 'read', targetId: essay.id, payBy: 'balance' });

  await storeSession(page, writer);
  await page.goto(`${CENTRE}?tab=wallet`);
  await expect(region(page, '收益')).toContainText('¥ 90.00');
  await page.getByRole('button', { name: '提现', exact: true }).click();
  const form = dialog(page, '提现');
  const amount = form.getByLabel('提现金额（元）');
  for (const [typed, said] of [
    ['5', '每次至少提现 ¥ 10.00'],
    ['90.01', '可提现的收益只有 ¥ 90.00'],
  ] as const) {
    await amount.fill(typed);
    await form.getByRole('button', { name: '申请提现' }).click();
    await expect(amount).toHaveAccessibleDescription(new RegExp(said));
  }
  await form.getByRole('button', { name: '全部' }).click();
  await expect(amount).toHaveValue('90.00');
  await form.getByLabel('收款账户').fill('writer@example.com');
  await form.getByLabel('收款人姓名').fill('林砚');
  await expectAccessible(page);
  await form.getByRole('button', { name: '申请提现' }).click();
  await expect(region(page, '收益')).toContainText('另有 ¥ 90.00 正在提现');

  await page.getByRole('tab', { name: '提现记录' }).click();
  await expect(rows(page, '提现记录').first()).toContainText('待审批');
  const [withdrawal] = (await writer.call('GET core/user/withdraw', {})).list;
  await admin.call('PUT core/sys/withdraw/', {
    id: withdrawal?.id ?? '',
    status: WITHDRAWAL_STATUS.refused,
    reason: '姓名与账户不一致',
  });
  await page.reload();
  await expect(region(page, '收益')).toContainText('¥ 90.00');
  await page.getByRole('tab', { name: '提现记录' }).click();
  await expect(rows(page, '提现记录').first()).toContainText('拒绝理由：姓名与账户不一致');
  await expectAccessible(page);
});
