import pg from 'pg';
import { expectAccessible } from '../support/accessibility.ts';
import { newWriter } from '../support/essays.ts';
import { button, expect, LARGE_ONLY, panel, row, test, unique } from '../support/office.ts';
import { uploadPicture } from '../support/pictures.ts';
import { storeSession } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('lists pictures with the places that use them', async ({ page, open, url }) => {
  const writer = await newWriter(url, { displayName: `画家${unique()}` });
  const used = await uploadPicture(writer, url);
  const title = `有图的文章 ${unique()}`;
  await writer.call('POST core/essay/', { title, content: `![图](${used})` });
  await open(`/media?userId=${writer.user.id}`);
  const listed = row(page, title);
  await expect(listed).toContainText('文章');
  await expect(listed).toContainText(writer.user.displayName);
  await expectAccessible(page);
  await listed.getByRole('button', { name: /^用在哪里/ }).click();
  await expect(panel(page).getByText(title)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(listed, /^删除/)).toHaveCount(0);
});

test('removes pictures that nothing uses, one or all', async ({ page, open, url, ownSite }) => {
  const displayName = `摄影${unique()}`;
  const writer = await newWriter(url, { displayName });
  for (const background of ['#123', '#456', '#789']) await uploadPicture(writer, url, { background });
  await open(`/media?userId=${writer.user.id}`);
  await expect(page.getByText('刚上传')).toHaveCount(3);
  const pool = new pg.Pool({ connectionString: ownSite.databaseUrl });
  await pool.query(`update uploads set created_at = created_at - interval '2 days'`);
  await pool.end();
  await page.reload();
  await expect(page.getByRole('row').getByText('没有用到')).toHaveCount(3);
  await row(page, displayName).first().getByRole('button', { name: /删除/ }).click();
  await button(panel(page), '删除').click();
  await expect(row(page, displayName)).toHaveCount(2);
  await button(page, '清理未使用的图片').click();
  await button(panel(page), '全部删除').click();
  await expect(row(page, displayName)).toHaveCount(0);
});

test(
  'sets the space of a user, who sees it and what does not fit',
  LARGE_ONLY,
  async ({ page, open, url, browserErrors }) => {
    browserErrors.allow(/status of 413/);
    const displayName = `写手${unique()}`;
    const writer = await newWriter(url, { displayName });
    await open(`/user?keyword=${encodeURIComponent(displayName)}`);
    await row(page, displayName)
      .getByRole('button', { name: /^上传空间/ })
      .click();
    const form = panel(page);
    await form.getByLabel('附件').fill('1');
    await button(form, '保存').click();
    await expect(form).toBeHidden();

    await storeSession(page, writer);
    await page.goto('/account/settings.html?tab=security');
    await expect(page.getByText('附件：已用 0 KB，共 1 MB')).toBeVisible();
    const { id } = await writer.call('POST core/essay/', { title: '带附件', content: '正文。' });
    await page.goto(`/essay/edit.html?id=${id}`);
    await page.getByRole('button', { name: '发布', exact: true }).click();
    await expect(page.getByText('已用 0 KB，共 1 MB')).toBeVisible();
    await page.getByLabel('选择附件').setInputFiles({
      name: 'big.txt',
      mimeType: 'text/plain',
      buffer: Buffer.alloc(1.5 * 1024 * 1024, 'a'),
    });
    await expect(page.getByRole('alert').getByText('附件的空间不够了：已用 0 MB，共 1 MB')).toBeVisible();
  },
);
