import { createPicture, createPng } from '@mozhan/server/testing/pictures.ts';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from './support/accessibility.ts';
import { openEditor, savedText, textOf, waitUntilSaved } from './support/editor.ts';
import { newWriter } from './support/essays.ts';
import { test as base, expect } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const test = base.extend<{ writer: TestUser }>({
  writer: async ({ page, baseURL }, use) => {
    const writer = await newWriter(baseURL ?? '');
    await storeSession(page, writer);
    await use(writer);
  },
});

/** Left half red, right half blue; with `orientation` 6 cameras mean the picture turned by 90°. */
async function halves(orientation = 1): Promise<Buffer> {
  const blue = await createPng({ width: 200, height: 200, background: '#00f' });
  return createPicture({ width: 400, height: 200, background: '#f00' })
    .composite([{ input: blue, left: 200, top: 0 }])
    .withMetadata({ orientation })
    .jpeg({ quality: 100 })
    .toBuffer();
}

async function storedPicture(page: Page, path: string) {
  const response = await page.request.get(path);
  const picture = sharp(await response.body());
  const { width = 0, height = 0 } = await picture.metadata();
  const { data } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const at = (y * width + x) * 3;
    return (data[at] ?? 0) > (data[at + 2] ?? 0) ? 'red' : 'blue';
  };
  return { width, height, colourAt };
}

const pathIn = (text: string): string => /\/files\/[^\s")]+/.exec(text)?.[0] ?? '';

test('a picture gets alternative text, a caption, a width, and is cropped and turned', {
  tag: '@large',
}, async ({ page, writer }) => {
  await openEditor(page);
  await textOf(page).click();
  await page
    .getByLabel('插入图片')
    .setInputFiles({ name: '照片.jpg', mimeType: 'image/jpeg', buffer: await halves(6) });
  await expect(textOf(page)).toContainText(/!\[照片\]\(\/files\/.+\)/);
  await waitUntilSaved(page);
  const original = pathIn(await savedText(writer, page));
  await textOf(page).getByText('照片').click();
  const bar = page.getByRole('toolbar', { name: '图片', exact: true });
  await bar.getByRole('button', { name: '文字说明' }).click();
  const texts = page.getByRole('dialog', { name: '图片的文字' });
  await texts.getByLabel('替代文字').fill('红与蓝 [两半]');
  await texts.getByLabel('图片说明').fill('图 1 "示意"');
  await expectAccessible(page);
  await texts.getByRole('button', { name: '保存' }).click();
  await expect(textOf(page)).toContainText('"图 1 \\"示意\\""');
  await bar.getByRole('button', { name: '50%' }).click();
  await expect(bar.getByRole('button', { name: '50%' })).toHaveAttribute('aria-pressed', 'true');
  const preview = page.getByRole('region', { name: '预览' });
  await expect(preview.locator('figure.picture.w-50 figcaption')).toHaveText('图 1 "示意"');
  const ratio = await preview
    .locator('figure.w-50')
    .evaluate((figure) => (figure.querySelector('img')?.clientWidth ?? 0) / figure.clientWidth);
  expect(ratio).toBeCloseTo(0.5, 1);

  await bar.getByRole('button', { name: '裁剪' }).click();
  const crop = page.getByRole('dialog', { name: '裁剪图片' });
  await crop.getByRole('radio', { name: '1:1' }).check();
  await crop.getByRole('button', { name: '旋转 90°' }).click();
  await crop.getByRole('img', { name: /裁剪范围/ }).focus();
  for (let i = 0; i < 14; i += 1) await page.keyboard.press('ArrowRight');
  await expectAccessible(page);
  await crop.getByRole('button', { name: '裁剪', exact: true }).click();
  await expect.poll(async () => pathIn(await savedText(writer, page))).not.toBe(original);
  const text = await savedText(writer, page);
  expect(text).toMatch(
    /^<img src="\/files\/\S+" alt="红与蓝 \[两半\]" title="图 1 &quot;示意&quot;" width="50%">/,
  );
  // The photo is 200 × 400 upright, red above; turned once more its right half is the red one.
  const { width, height, colourAt } = await storedPicture(page, pathIn(text));
  expect([width, height]).toEqual([200, 200]);
  expect([colourAt(20, 100), colourAt(180, 100)]).toEqual(['red', 'red']);
  const kept = await storedPicture(page, original);
  expect([kept.width, kept.height]).toEqual([200, 400]);
});

test('covers, share cards and avatars are cropped, and a moving picture says that it will stand still', async ({
  page,
  writer,
}) => {
  await openEditor(page);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: '发布文章' });
  const cover = drawer.getByRole('group', { name: '封面' });
  const square = drawer.getByRole('group', { name: '分享卡片' });
  await cover
    .locator('input[type=file]')
    .setInputFiles({ name: '封面.jpg', mimeType: 'image/jpeg', buffer: await halves() });
  const crop = page.getByRole('dialog', { name: '裁剪封面' });
  await crop.getByRole('slider', { name: '缩放' }).fill('2');
  await crop.getByRole('button', { name: '裁剪', exact: true }).click();
  // The second step cuts the square from the same, uncropped picture.
  const squareCrop = page.getByRole('dialog', { name: '裁剪分享卡片' });
  await expect(squareCrop.getByRole('img', { name: /裁剪范围/ })).toBeFocused();
  // Disabled until the picture is loaded.
  await expect(squareCrop.getByRole('slider', { name: '缩放' })).toBeEnabled();
  for (let i = 0; i < 14; i += 1) await page.keyboard.press('ArrowRight');
  await squareCrop.getByRole('button', { name: '裁剪', exact: true }).click();
  await expect(cover.locator('img')).toHaveAttribute('src', /\/files\//);
  const pathOf = async (group: Locator) =>
    new URL((await group.locator('img').getAttribute('src')) ?? '', page.url()).pathname;
  const coverPath = await pathOf(cover);
  const stored = await storedPicture(page, coverPath);
  expect(stored.width / stored.height).toBeCloseTo(16 / 9, 1);
  expect([stored.colourAt(10, 20), stored.colourAt(stored.width - 10, 20)]).toEqual(['red', 'blue']);

  await expect(square.getByRole('button', { name: '移除' })).toBeVisible();
  const squarePath = await pathOf(square);
  const card = await storedPicture(page, squarePath);
  expect([card.width, card.height]).toEqual([200, 200]);
  expect([card.colourAt(10, 100), card.colourAt(190, 100)]).toEqual(['blue', 'blue']);
  await drawer.getByRole('tab', { name: '分享出去' }).click();
  const thumbnail = drawer
    .getByText('微信、QQ 聊天')
    .locator('xpath=following-sibling::div[1]')
    .locator('img');
  await expect(thumbnail).toHaveAttribute('src', new RegExp(squarePath));
  await expectAccessible(page);
  // Without a square the cover is shown, and it can be cut later.
  await square.getByRole('button', { name: '移除' }).click();
  await expect(thumbnail).toHaveAttribute('src', new RegExp(coverPath));
  await square.getByRole('button', { name: '从封面裁剪' }).click();
  await squareCrop.getByRole('button', { name: '裁剪', exact: true }).click();
  await expect(square.getByRole('button', { name: '移除' })).toBeVisible();
  await cover.getByRole('button', { name: '移除' }).click();
  await expect(square.getByRole('button', { name: '移除' })).toBeHidden();

  await page.goto('/account/settings.html');
  const avatar = page.getByRole('group', { name: '头像' });
  const frames = await Promise.all(
    ['#f00', '#00f'].map((background) => createPng({ width: 40, height: 30, background })),
  );
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  await avatar
    .locator('input[type=file]')
    .setInputFiles({ name: '动.gif', mimeType: 'image/gif', buffer: gif });
  const avatarCrop = page.getByRole('dialog', { name: '裁剪头像' });
  await expect(avatarCrop.getByText('这是一张动图')).toBeVisible();
  await avatarCrop.getByRole('button', { name: '裁剪', exact: true }).click();
  await expect(avatar.getByRole('button', { name: '移除' })).toBeVisible();
  await page.getByRole('button', { name: '保存' }).first().click();
  const headImg = async (): Promise<string> => {
    const user = await writer.call('GET core/user/', {});
    return 'headImg' in user ? user.headImg : '';
  };
  await expect.poll(headImg).toMatch(/^\/files\//);
  const photo = await storedPicture(page, await headImg());
  expect([photo.width, photo.height]).toEqual([30, 30]);
});
