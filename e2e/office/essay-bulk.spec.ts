import { expectAccessible } from '../support/accessibility.ts';
import { newWriter, publishEssay } from '../support/essays.ts';
import { button, expect, panel, row, test, unique } from '../support/office.ts';
import { newStaff } from '../support/staff.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('changes author, tags and price of selected essays, and names those that stay', async ({
  page,
  open,
  url,
  admin,
}) => {
  const mark = unique();
  const writer = await newWriter(url, { displayName: `旧作者${mark}` });
  await newWriter(url, { displayName: `新作者${mark}` });
  const [first, second] = [
    await publishEssay(url, { writer, title: `甲 ${mark}` }),
    await publishEssay(url, { writer, title: `乙 ${mark}`, tags: ['一', '二', '三', '四', '五'] }),
  ];
  await open(`/essay?keyword=${mark}`);
  for (const { title } of [first, second]) await page.getByRole('checkbox', { name: `选择${title}` }).check();
  await button(page, '批量修改 2 篇').click();
  await panel(page).getByRole('combobox', { name: '不改' }).fill(`新作者${mark}`);
  await page.locator('.ant-select-item-option-active', { hasText: `新作者${mark}` }).waitFor();
  await page.keyboard.press('Enter');
  await panel(page).getByLabel('增加标签').fill(`标签${mark}`);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await panel(page).getByLabel('单篇出售').click();
  await page.locator('.ant-select-item[title="单篇出售"]').click();
  await panel(page).getByLabel('价格').fill('3.50');
  await expect(panel(page).getByText('已有的订单和收益仍归原作者')).toBeVisible();
  await expectAccessible(page);
  await button(panel(page), '修改').click();
  await expect(panel(page).getByText('已修改 1 项，1 项没有成功').last()).toBeVisible();
  await expect(page.getByText(`「${second.title}」：标签会超过 5 个，请先去掉几个`)).toBeVisible();
  await button(page, '知道了').click();
  await expect(row(page, first.title)).toContainText(`新作者${mark}`);
  await expect(row(page, first.title)).toContainText('3.50');
  await expect(row(page, second.title)).toContainText(`旧作者${mark}`);
  // The essay that failed stays selected.
  await expect(button(page, '批量修改 1 篇')).toBeVisible();

  await page.goto(`/essay/detail/${first.id}.html`);
  await expect(page.getByRole('main')).toContainText(`新作者${mark}`);
  await page.goto('/admin/log');
  await expect(row(page, '批量修改文章').first()).toContainText(first.title);

  await open(`/essay?keyword=${mark}`, await newStaff(admin, url, 'auditor'));
  await expect(row(page, first.title)).toBeVisible();
  await expect(button(page, /批量修改/)).toBeHidden();
});
