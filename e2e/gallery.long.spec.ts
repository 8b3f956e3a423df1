import { globSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { build } from 'vite';
import { expectAccessible } from './support/accessibility.ts';
import { LARGE_ONLY } from './support/office.ts';
import { test as base, expect } from './support/test.ts';

const web = join(dirname(import.meta.dirname), 'web');
/** A URL without a server: the test serves the build through routing. */
const ADDRESS = 'http://gallery.test/';
const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

const test = base.extend<object, { files: Map<string, string> }>({
  files: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from it
    async ({}, use) => {
      const result = await build({
        configFile: join(web, 'vite.gallery.config.ts'),
        logLevel: 'error',
        build: { write: false },
      });
      const { output } = Array.isArray(result) || !('output' in result) ? { output: [] } : result;
      const contents = output.map((file) => [
        file.fileName,
        file.type === 'chunk' ? file.code : String(file.source),
      ]);
      await use(new Map(contents as [string, string][]));
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  page: async ({ page, files }, use) => {
    await page.route(`${ADDRESS}**`, async (route) => {
      const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
      await route.fulfill({ body: files.get(name), contentType: types[extname(name)] });
    });
    await use(page);
  },
});

// One worker, so that the gallery is built only once.
test.describe.configure({ mode: 'default' });

const components = globSync('src/ui/*.tsx', { cwd: web, exclude: ['**/*.test.tsx'] }).map((path) =>
  basename(path, '.tsx'),
);

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [375, 1440]) {
    test(`displays every component, ${colorScheme}, ${width} wide`, LARGE_ONLY, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(ADDRESS);
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      // Loads when it is near the viewport.
      await page.locator('[data-files~="hydrate-when-near"]').scrollIntoViewIfNeeded();
      await expect(page.getByText('走近了才来的部分')).toBeVisible();
      const files = await page
        .locator('[data-files]')
        .evaluateAll((parts) =>
          parts.flatMap((part) =>
            part.checkVisibility() ? (part as HTMLElement).dataset.files?.split(' ') : [],
          ),
        );
      expect(files.sort()).toEqual(components.sort());
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, 'nothing is wider than the page').toBeLessThanOrEqual(0);
      await expectAccessible(page);
    });
  }
}

test('dialogs and messages of the gallery open', LARGE_ONLY, async ({ page }) => {
  await page.goto(ADDRESS);
  for (const name of [
    '打开对话框',
    '打开提问',
    '打开取来的对话框',
    '裁剪图片',
    '从右边打开',
    '从左边打开',
    '问一句',
  ]) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeHidden();
  }
  await page.getByRole('button', { name: '说一句' }).click();
  await expect(page.getByRole('status').getByText('已保存')).toBeVisible();
  await page.getByRole('button', { name: '切换深浅色' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
