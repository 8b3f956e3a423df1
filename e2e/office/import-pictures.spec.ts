import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPng } from '@mozhan/server/testing/pictures.ts';
import { strToU8, zipSync } from 'fflate';
import { expectAccessible } from '../support/accessibility.ts';
import { button, expect, LARGE_ONLY } from '../support/office.ts';
import { ADMIN, startServer } from '../support/server.ts';
import { test as base } from '../support/test.ts';
import { signIn, storeSession, type TestUser } from '../support/users.ts';

/** The old site; it answers 404 for missing pictures until `isComplete` is set. */
const oldSite = { isComplete: false, url: '' };

interface Site {
  url: string;
  admin: TestUser;
}

/** A site that may fetch from private addresses, because the old site is on this machine. */
const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use, { workerIndex }) => {
      const png = await createPng();
      const server = createServer((request, response) => {
        if (request.url === '/missing.png' && !oldSite.isComplete) response.writeHead(404).end();
        else response.end(png);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      oldSite.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const site = await startServer(`old-pictures-${workerIndex}`, { WEBHOOK_ALLOW_PRIVATE: 'on' });
      await use({ url: site.url, admin: await signIn(site.url, ADMIN) });
      await site.stop();
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => {
    await use(site.url);
  },
});

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'pictures of the old site are fetched, and those that failed are tried again from the report',
  LARGE_ONLY,
  async ({ page, site: { admin } }) => {
    const text = `![有的](${oldSite.url}/here.png)\n\n![缺的](${oldSite.url}/missing.png)`;
    const zip = zipSync({
      '_config.yml': strToU8('title: 旧相册\nurl: https://album.test'),
      'source/_posts/a.md': strToU8(`---\ntitle: 旧照片\ndate: 2021-03-04\n---\n\n${text}\n`),
    });
    await storeSession(page, admin);
    await page.goto('/admin/transfer?import=new');
    const file = { name: 'album.zip', mimeType: 'application/zip', buffer: Buffer.from(zip) };
    await page.locator('input[type=file]').setInputFiles(file);
    await button(page, '上传并检查').click();
    await expect(page.getByRole('region', { name: '检查结果' })).toContainText('别处的图片2张');
    await expect(page.getByRole('switch', { name: '取回别的网站上的图片' })).toBeChecked();
    await button(page, '开始导入').click();

    const report = page.getByRole('region', { name: '导入报告' });
    await expect(report).toContainText('取回 1 / 2，失败 1');
    const failed = report.getByRole('region', { name: '没有取到的图片' });
    await expect(failed).toContainText('/missing.png');
    await expect(failed).toContainText('《旧照片》');
    await expectAccessible(page);
    oldSite.isComplete = true;
    await button(failed, '重试').click();
    await expect(report).toContainText('取回 2 / 2');
    await expect(failed).toHaveCount(0);
    const { list } = await admin.call('GET core/essay/', { keyword: '旧照片' });
    await page.goto(`/essay/detail/${list[0]?.id}.html`);
    // Not by role, because React turns pictures into buttons that enlarge them.
    await expect(page.getByAltText('缺的')).toHaveAttribute('src', /^\/files\//);
    await expect(page.getByAltText('有的')).toHaveAttribute('src', /^\/files\//);

    await page.goto('/admin/transfer');
    await page.getByRole('button', { name: /^撤销/ }).click();
    await button(page, '撤销').click();
    await expect(
      page.getByRole('row').filter({ hasText: 'album.zip' }).getByText('已撤销', { exact: true }),
    ).toBeVisible();
    expect((await admin.call('GET core/essay/', { keyword: '旧照片' })).list).toEqual([]);
  },
);
