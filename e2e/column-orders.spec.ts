import { newWriter, publishEssay } from './support/essays.ts';
import { button, expect, panel, row, test, unique } from './support/office.ts';
import { register, storeSession } from './support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('the order of a column leads its buyer and staff to the page of the column', async ({
  page,
  open,
  url,
}) => {
  const mark = unique();
  const writer = await newWriter(url, { displayName: `专栏作者${mark}` });
  const column = await writer.call('POST core/essay/column', { name: `手记 ${mark}`, price: 500 });
  await publishEssay(url, { writer, title: `第一篇 ${mark}`, columnId: column.id });
  const buyer = await register(url);
  const order = await buyer.call('POST core/user/order', {
    kind: 'column',
    targetId: column.id,
    payBy: 'sandbox',
  });
  await buyer.call('PUT core/user/order', { id: order.id, action: 'pay' });
  await storeSession(page, buyer);
  await page.goto(`/account/center.html?tab=order&id=${order.id}`);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: `手记 ${mark}` })
    .click();
  await expect(page.getByRole('main')).toContainText(`手记 ${mark}`);
  await expect(page.getByRole('link', { name: `第一篇 ${mark}` })).toBeVisible();

  await open('/order');
  await button(row(page, `手记 ${mark}`), /^详情/).click();
  await expect(panel(page).getByRole('link', { name: `手记 ${mark}` })).toHaveAttribute(
    'href',
    new RegExp(`/column/${column.id}\\.html$`),
  );
});
