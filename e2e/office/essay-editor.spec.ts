import { expectAccessible } from '../support/accessibility.ts';
import { newWriter } from '../support/essays.ts';
import { button, expect, LARGE_ONLY, panel, row, test, unique } from '../support/office.ts';
import { storeSession } from '../support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const ID = /edit\.html\?id=[0-9a-f]{32}$/;

test(
  'staff write for an author; both windows keep every text, and the history names the editor',
  LARGE_ONLY,
  async ({ page, open, url, browser, browserErrors }) => {
    browserErrors.allow(/status of 409/);
    const mark = unique();
    const writer = await newWriter(url, { displayName: `林妍${mark}` });
    await open('/essay');
    await button(page, '代作者写文章').click();
    await panel(page).getByRole('combobox').fill(`林妍${mark}`);
    await page.locator('.ant-select-item-option-active', { hasText: `林妍${mark}` }).waitFor();
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    const opening = page.waitForEvent('popup');
    await button(panel(page), '打开编辑器').click();
    const staffPage = await opening;
    const text = staffPage.getByRole('textbox', { name: '正文，Markdown' });
    await expect(staffPage.getByText(`代 林妍${mark} 撰写`)).toBeVisible();
    await staffPage.getByRole('textbox', { name: '标题', exact: true }).fill(`代写 ${mark}`);
    await text.click();
    await staffPage.keyboard.insertText('编辑写的第一段。');
    await expect(staffPage).toHaveURL(ID);
    await expect(staffPage.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');
    await expectAccessible(staffPage);

    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const authorPage = await context.newPage();
    await storeSession(authorPage, writer);
    await authorPage.goto(staffPage.url());
    const authorText = authorPage.getByRole('textbox', { name: '正文，Markdown' });
    await expect(authorText).toContainText('编辑写的第一段。');
    await expect(authorPage.getByText(`代 林妍${mark} 撰写`)).toBeHidden();
    await authorText.click();
    await authorPage.keyboard.press('Control+End');
    await authorPage.keyboard.insertText('作者接着写。');
    await expect(authorPage.locator('header [data-state]')).toHaveAttribute('data-state', 'saved');

    // The window of staff still has the older version.
    await text.click();
    await staffPage.keyboard.press('Control+End');
    await staffPage.keyboard.insertText('编辑同时写的。');
    await expect(staffPage.locator('header [data-state]')).toHaveAttribute('data-state', 'conflict');
    await expect(text).toContainText('编辑同时写的。');

    await authorPage.getByRole('button', { name: '历史版本' }).click();
    await expect(authorPage.getByRole('list', { name: '版本' })).toContainText(/由编辑 .+ 修改/);
    await expectAccessible(authorPage);
    await context.close();

    await page.reload();
    await expect(row(page, `代写 ${mark}`)).toContainText(`林妍${mark}`);
    await page.goto('/admin/log');
    await expect(row(page, '代作者写文章').first()).toBeVisible();
  },
);

test('staff create a column for an author', async ({ page, open, url }) => {
  const mark = unique();
  await newWriter(url, { displayName: `专栏作者${mark}` });
  await open('/column');
  await button(page, '代作者建专栏').click();
  await panel(page).getByRole('combobox').fill(`专栏作者${mark}`);
  await page.locator('.ant-select-item-option-active', { hasText: `专栏作者${mark}` }).waitFor();
  await page.keyboard.press('Enter');
  await panel(page).getByLabel('名称').fill(`代建 ${mark}`);
  await expectAccessible(page);
  await panel(page)
    .getByRole('button', { name: /新建|保存/ })
    .click();
  await expect(row(page, `代建 ${mark}`)).toContainText(`专栏作者${mark}`);
});
