import { newWriter } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

test('names versions, lists the named ones, says what was merged, and marks changed lines', {
  tag: '@large',
}, async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  const { id } = await writer.call('POST core/essay/', { title: '慢慢写', content: '第一稿。\n\n结尾。' });
  for (const version of [1, 2, 3])
    await writer.call('PUT core/essay/', { id, version, content: `第 ${version} 次改。\n\n结尾。`, auto: 1 });
  await storeSession(page, writer);
  await page.goto(`/essay/edit.html?id=${id}`);
  await page.getByRole('button', { name: '历史版本' }).click();
  const dialog = page.getByRole('dialog', { name: '历史版本' });
  const versions = dialog.getByRole('list', { name: '版本' }).getByRole('listitem');
  await expect(versions).toHaveCount(2);
  await expect(versions.first()).toContainText('自动合并了 2 个版本');

  await versions.nth(1).getByRole('button').click();
  await dialog.getByRole('button', { name: '给这个版本起名' }).click();
  await page.keyboard.insertText('动笔那天');
  await page.keyboard.press('Enter');
  await expect(versions.nth(1)).toContainText('动笔那天');
  await dialog.getByRole('switch', { name: '只看命名的' }).check();
  await expect(versions).toHaveCount(1);
  await dialog.getByRole('button', { name: '改名' }).click();
  await dialog.getByRole('button', { name: '移除名字' }).click();
  await expect(dialog.getByText('还没有命名的版本')).toBeVisible();
  await page.keyboard.press('Escape');

  // The mark beside the text: a changed line, then an added one.
  const text = page.getByRole('textbox', { name: '正文，Markdown' });
  await text.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('又');
  await expect(page.locator('.cm-marked-changed')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\n再加一行');
  await expect(page.locator('.cm-marked-added')).toHaveCount(1);
});
