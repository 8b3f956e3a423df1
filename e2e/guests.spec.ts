import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { importGuests } from './support/guests.ts';
import { button, expect, panel, row, test } from './support/office.ts';
import { storeSession } from './support/users.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const comment = (page: Page, text: string) => page.locator('[id^="cmt-"]').filter({ hasText: text });

const lines = [
  { name: '青山', site: 'https://qingshan.example/', content: '照着做了一遍，确实可行。' },
  { name: '过路人', content: '第二步卡住了，是不是少了一行？', root: 0 },
  { name: 'Lee', content: '少了 `npm install`，加上就好。', root: 0, replyTo: 1 },
  { name: '一个名字非常非常长而且没有停顿的访客想看看排版会不会被撑破', content: '收藏了。' },
];

for (const width of [375, 1440])
  test(`shows a thread of guests at ${width} px, and a reader replies to one`, {
    tag: width < 768 ? '@long' : [],
  }, async ({ page, admin, url, newUser }) => {
    const id = await importGuests(url, admin, `搬来的文章 ${width}`, lines);
    await page.setViewportSize({ width, height: 900 });
    const reader = await newUser({ displayName: '后来的读者' });
    await storeSession(page, reader);
    await page.goto(`/essay/detail/${id}.html`);
    await page.locator('#comments').scrollIntoViewIfNeeded();

    const first = comment(page, '照着做了一遍');
    await expect(first.getByText('访客', { exact: true })).toBeVisible();
    const link = first.getByRole('link', { name: '青山' });
    await expect(link).toHaveAttribute('href', 'https://qingshan.example/');
    await expect(link).toHaveAttribute('rel', 'nofollow ugc noopener');
    const second = comment(page, '第二步卡住了');
    await expect(second.getByRole('link')).toHaveCount(0);
    const third = comment(page, '加上就好');
    await expect(third).toContainText('@过路人');
    await expect(third.getByRole('link')).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await expectAccessible(page);

    // Guests are not offered for mentions.
    const say = page.getByRole('textbox', { name: '写评论' });
    await say.click();
    await page.keyboard.type('@');
    await expect(page.getByRole('option')).toHaveCount(0);
    await say.fill('');
    await third.getByRole('button', { name: '回复Lee' }).click();
    await page.getByRole('textbox', { name: '回复Lee' }).fill('谢谢，解决了');
    await page.getByRole('button', { name: '回复', exact: true }).last().click();
    await expect(comment(page, '谢谢，解决了')).toContainText('@Lee');
    await first.getByRole('button', { name: '赞' }).click();
    await expect(first.getByRole('button', { name: '赞，1' })).toBeVisible();
  });

test('staff filter guests, find them by name and remove a comment', async ({ page, open, admin, url }) => {
  await importGuests(url, admin, '给后台看的文章', [
    { name: '要移除的人', content: '这句话要移除' },
    { name: '留下的人', content: '这句话留下' },
  ]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open('/comment?guest=1');
  await expect(row(page, '这句话要移除')).toContainText('访客');
  await page.getByLabel('搜索内容或访客的名字（最近两万条）').fill('要移除的人');
  await page.keyboard.press('Enter');
  await expect(row(page, '这句话留下')).toHaveCount(0);
  await expectAccessible(page);
  await row(page, '这句话要移除').getByRole('button', { name: /^移除/ }).click();
  await panel(page).getByLabel('移除理由').fill('与文章无关');
  await button(panel(page), '移除').click();
  await expect(row(page, '这句话要移除')).toContainText('已移除');
});
