import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { layoutShift } from './support/layout-shift.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const detail = (id: string) => `/essay/detail/${id}.html`;
const part = (word: string) =>
  Array.from({ length: 10 }, (_, nth) => `${word}，第 ${nth + 1} 段。`).join('\n\n');

const publishPaid = (baseURL: string | undefined) =>
  publishEssay(baseURL, {
    price: 600,
    previewPercent: 30,
    content: `${part('试读的开头')}\n\n${part('藏起来的秘密')}`,
  });

const text = (page: Page) => page.locator('[data-text]').first();
const paywall = (page: Page) => page.getByRole('region', { name: '这是一篇付费文章' });

async function ordersOf(reader: TestUser) {
  const orders = await reader.call('GET core/user/order', {});
  return 'list' in orders ? orders.list : [];
}

async function openDialog(page: Page, button: string, name: string) {
  await page.getByRole('button', { name: button, exact: true }).last().click();
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  return dialog;
}

test('a page that reconnects after a purchase elsewhere unlocks the essay', async ({
  page,
  reader,
  baseURL,
}) => {
  const { id } = await publishPaid(baseURL);
  const bought = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/api\/live\//, async (socket) => {
    await bought.promise;
    socket.connectToServer();
  });
  const essayResponse = page.waitForResponse((response) => response.url().includes(`core/essay/${id}`));
  await page.goto(detail(id));
  await essayResponse;
  await expect(paywall(page)).toBeVisible();
  const order = await reader.call('POST core/user/order', {
    kind: 'read',
    targetId: id,
    amount: 600,
    payBy: 'sandbox',
  });
  await reader.call('PUT core/user/order', { id: order.id, action: 'pay' });
  bought.resolve();
  await expect(text(page)).toContainText('藏起来的秘密，第 10 段。');
});

test('buys an essay from a recharged balance and unlocks it in every tab', async ({
  page,
  context,
  request,
  reader,
  baseURL,
  isMobile,
}) => {
  const { id } = await publishPaid(baseURL);
  const recharge = await reader.call('POST core/user/order', {
    kind: 'recharge',
    amount: 1000,
    payBy: 'sandbox',
  });
  const cashier = new URL(recharge.pay?.url ?? '', baseURL);
  await page.goto(cashier.href);
  await expect(page.getByText('演示收银台，不会产生真实扣款。')).toBeVisible();
  // The QR code is only for desktops.
  if (!isMobile) await expect(page.getByRole('img', { name: '这一页的二维码' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: '同意付款' }).click();
  await expect(page.getByRole('heading', { name: '付款成功' })).toBeVisible();

  await page.goto(detail(id));
  const other = await context.newPage();
  await other.goto(detail(id));
  await expect(other.getByRole('button', { name: '购买全文' })).toBeVisible();
  const dialog = await openDialog(page, '购买全文', '购买全文');
  await expect(dialog.getByText('现有 ¥ 10.00，支付后剩 ¥ 4.00')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: '支付 ¥ 6' }).dblclick();
  await expect(page.getByText('购买成功，现在可以阅读全文', { exact: true })).toBeVisible();
  for (const each of [page, other]) {
    await expect(text(each)).toContainText('藏起来的秘密，第 10 段。');
    await expect(paywall(each)).toHaveCount(0);
  }
  await expect(dialog).toHaveCount(0);
  await expect(text(page).locator(':focus')).toHaveText(/^(试读的开头|藏起来的秘密)，第 \d+ 段。$/);
  const orders = await ordersOf(reader);
  expect(orders.map(({ kind, amount, status }) => [kind, amount, status])).toEqual([
    ['read', 600, 1],
    ['recharge', 1000, 1],
  ]);

  // Sharing the URL does not unlock the essay for others.
  expect(await (await request.get(page.url())).text()).not.toContain('藏起来的秘密');
});

test('an abandoned and declined order is paid by a late, repeated callback', {
  tag: '@long',
}, async ({ page, context, reader, browserErrors, baseURL }) => {
  browserErrors.allow(/404/);
  const { id } = await publishPaid(baseURL);
  await page.goto(detail(id));
  const dialog = await openDialog(page, '购买全文', '购买全文');
  const pay = dialog.getByRole('button', { name: '支付 ¥ 6' });
  await expect(dialog.getByRole('radio', { name: '余额' })).toBeDisabled();
  await expect(dialog.getByRole('link', { name: '去充值' })).toHaveAttribute('href', /tab=wallet$/);
  await pay.click();
  await dialog.getByRole('button', { name: '取消订单' }).click();
  await expect(dialog.getByRole('heading', { name: '订单已取消' })).toBeVisible();
  await dialog.getByRole('button', { name: '重新下单' }).click();
  await pay.click();
  await expect(dialog.getByRole('img', { name: '付款的二维码' })).toBeVisible();
  await expectAccessible(page);

  const opened = context.waitForEvent('page');
  await dialog.getByRole('link', { name: '打开收银台' }).click();
  const cashier = await opened;
  await cashier.getByRole('button', { name: '拒绝' }).click();
  await expect(cashier.getByText('已拒绝付款。')).toBeVisible();
  await expect(dialog.getByText('付款被拒绝了。')).toBeVisible();
  await cashier.getByText('高级').click();
  await cashier.getByRole('radio', { name: '5 秒后' }).check();
  await cashier.getByRole('radio', { name: '3 次' }).check();
  await cashier.getByRole('button', { name: '同意付款' }).click();
  await expect(cashier.getByRole('heading', { name: '已同意付款' })).toBeVisible();
  await expect(dialog.getByText('付款被拒绝了。')).toBeHidden();
  await expect(text(page)).not.toContainText('藏起来的秘密');
  await expect(cashier.getByRole('heading', { name: '付款成功' })).toBeVisible();
  await page.bringToFront();
  await expect(text(page)).toContainText('藏起来的秘密，第 10 段。');
  expect((await ordersOf(reader)).map(({ status }) => status)).toEqual([1, 2]);

  await cashier.goto(cashier.url().replace(/key=.*/, 'key=wrong'));
  await expect(cashier.getByRole('heading', { name: '找不到这张订单' })).toBeVisible();
});

test('rejects an order at an outdated price and displays the new price', async ({
  page,
  reader,
  baseURL,
}) => {
  const writer = await newWriter(baseURL);
  const column = { name: '慢慢涨价', price: 1500 };
  const { id: columnId } = await writer.call('POST core/essay/column', column);
  const { id } = await publishEssay(baseURL, { writer, price: 600, columnId });
  await page.goto(detail(id));
  const dialog = await openDialog(page, '购买专栏', '购买专栏');
  await writer.call('PUT core/essay/column', { id: columnId, price: 1800 });
  await dialog.getByRole('button', { name: '支付 ¥ 15' }).click();
  await expect(dialog.getByText('价格刚刚变了，请看过新的价格再买')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(paywall(page)).toContainText('¥ 18');
  await openDialog(page, '购买专栏', '购买专栏');
  await dialog.getByRole('button', { name: '支付 ¥ 18' }).click();
  await expect(dialog.getByRole('link', { name: '打开收银台' })).toBeVisible();
  expect((await ordersOf(reader)).map(({ amount }) => amount)).toEqual([1800]);
});

test('rewards an essay with a message, which the author answers', async ({
  page,
  browser,
  reader,
  baseURL,
}) => {
  test.slow();
  const { id, writer } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const dialog = await openDialog(page, '打赏', '打赏作者');
  await dialog.getByRole('radio', { name: '其他' }).check();
  const amount = dialog.getByLabel('其他金额（元）');
  const next = dialog.getByRole('button', { name: '下一步' });
  for (const [typed, sentence] of [
    ['6.661', '最多两位小数'],
    ['0.99', '打赏从 ¥ 1 到 ¥ 500'],
  ] as const) {
    await amount.fill(typed);
    await next.click();
    await expect(dialog.getByText(sentence)).toBeVisible();
  }
  await expectAccessible(page);
  await amount.fill('1.15');
  await dialog.getByLabel('留言').fill('第三节很有用。');
  await next.click();
  await dialog.getByRole('button', { name: '上一步' }).click();
  await expect(amount).toHaveValue('1.15');
  await next.click();
  await dialog.getByRole('button', { name: '支付 ¥ 1.15' }).click();
  await expect(dialog.getByRole('link', { name: '打开收银台' })).toBeVisible();
  const [order] = await ordersOf(reader);
  await reader.call('PUT core/user/order', { id: order?.id ?? '', action: 'pay' });
  await expect(dialog.getByRole('heading', { name: '已支付 ¥ 1.15' })).toBeVisible();
  await dialog.getByRole('button', { name: '完成' }).click();
  const rewardList = page.getByRole('list', { name: '打赏的人' });
  await expect(rewardList).toContainText('第三节很有用。');
  await expect(rewardList).toContainText('¥ 1.15');

  const desk = await (await browser.newContext({ baseURL })).newPage();
  await storeSession(desk, writer);
  await desk.goto(detail(id));
  const thanks = desk.getByRole('region', { name: '打赏' });
  await thanks.getByRole('button', { name: '回复', exact: true }).click();
  await thanks.getByLabel(`回复${reader.user.displayName}`).fill('谢谢，欢迎来信讨论。');
  await thanks.getByRole('button', { name: '回复', exact: true }).click();
  await expect(thanks.getByRole('button', { name: '修改回复' })).toBeFocused();
  await expectAccessible(desk);
  await expect(thanks).toContainText('谢谢，欢迎来信讨论。');
  await desk.context().close();

  // For others it is server-rendered, so it causes no layout shift.
  const visitor = await (await browser.newContext({ baseURL })).newPage();
  await visitor.goto(detail(id));
  await visitor.getByRole('list', { name: '打赏的人' }).scrollIntoViewIfNeeded();
  await visitor.mouse.move(200, 300);
  await expect(visitor.getByRole('region', { name: '打赏' })).toContainText('谢谢，欢迎来信讨论。');
  await expect(visitor.getByRole('heading', { name: /^评论/ })).toBeVisible();
  expect(await layoutShift(visitor)).toBeLessThan(0.01);
  await visitor.context().close();
});
