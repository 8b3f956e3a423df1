import type { Page } from '@playwright/test';
import { expectAccessible } from '../support/accessibility.ts';
import { button, expect, isPhone, panel, row, test, unique } from '../support/office.ts';
import type { TestUser } from '../support/users.ts';

test.describe.configure({ mode: 'default' });
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: '主导航' });
const footer = (page: Page) => page.getByRole('contentinfo');

async function resetNavigation(admin: TestUser): Promise<void> {
  const { version } = await admin.call('GET core/sys/nav/', {});
  await admin.call('PUT core/sys/nav/', { version, header: null, footer: null });
}

/** Chooses an option of a select in the open dialog. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await panel(page).getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
}

const publishPage = (admin: TestUser, fields: object) =>
  admin.call('POST core/sys/page/', { title: '页面', content: '正文', published: 1, ...fields });

test('makes a page, puts it into the navigation, and unpublishes it', async ({
  page,
  open,
  admin,
  browserErrors,
}) => {
  browserErrors.allow(/status of (404|422)/);
  await resetNavigation(admin);
  const mark = unique();
  const title = `团队 ${mark}`;
  await open('/page');
  await expect(row(page, '/about.html')).toContainText('内置');
  await expectAccessible(page);
  await button(page, '新建页面').click();
  await panel(page).getByLabel('标题').fill(title);
  await panel(page).getByLabel('地址').fill('Bad Slug');
  await button(panel(page), '保存').click();
  await expect(panel(page).getByText('请用 1–80 个小写字母', { exact: false })).toBeVisible();
  await panel(page).getByLabel('地址').fill(`team-${mark}`);
  await button(panel(page), '保存').click();

  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await page.getByLabel(`「${title}」的 Markdown`).fill('## 我们是谁\n\n写{{站名}}的人。');
  await expectAccessible(page);
  await button(page, '保存').click();
  await expect(page.getByText(`已保存「${title}」`)).toBeVisible();
  expect((await page.request.get(`/page/team-${mark}.html`)).status()).toBe(404);
  await button(page, '发布').click();
  await expect(page.getByText(`已发布「${title}」`)).toBeVisible();

  await open('/navigation');
  const header = page.getByRole('region', { name: '顶部导航' });
  await expect(header).toContainText('默认');
  await button(header, '添加到顶部导航').click();
  await choose(page, '页面', title);
  await panel(page).getByLabel('文字').fill('团队');
  await expectAccessible(page);
  await button(panel(page), '确定').click();
  await button(header, '上移：团队').click();
  await button(page, '保存').click();
  await expect(page.getByText('已保存，读者看到的页面立即更新')).toBeVisible();
  await expect(header).toContainText('已自定义');
  await expectAccessible(page);

  await page.goto('/home');
  await expect(mainNavigation(page).getByRole('link')).toHaveText(['首页', '编程', '技术', '团队', '应用']);
  await mainNavigation(page).getByRole('link', { name: '团队' }).click();
  await expect(page).toHaveURL(new RegExp(`/page/team-${mark}\\.html$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('article')).toContainText('写墨栈的人。');
  await expect(mainNavigation(page).locator('[aria-current="page"]')).toHaveText('团队');
  await expectAccessible(page);

  await open('/page');
  await button(page, `更多操作：${title}`)
    .or(button(page, `撤下：${title}`))
    .first()
    .click();
  if (await page.getByRole('menuitem', { name: '撤下' }).isVisible())
    await page.getByRole('menuitem', { name: '撤下' }).click();
  await button(panel(page), '撤下').click();
  await expect(row(page, title)).toContainText('草稿');
  await page.goto(`/page/team-${mark}.html`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('没有这一页');
  await expect(mainNavigation(page).getByRole('link')).toHaveText(['首页', '编程', '技术', '应用']);
  await resetNavigation(admin);
});

test('old and built-in addresses lead to the page, which describes itself', async ({ page, admin }) => {
  const mark = unique();
  const { page: id } = await publishPage(admin, {
    title: '关于作者',
    slug: `author-${mark}`,
    content: '写字的人。',
  });
  await admin.call('PUT core/sys/page/', { page: id, version: 1, slug: `作者-${mark}` });
  const location = async (path: string) => {
    const response = await page.request.get(path, { maxRedirects: 0 });
    return [response.status(), response.headers().location];
  };
  const path = `/page/${encodeURIComponent(`作者-${mark}`)}.html`;
  expect(await location(`/page/author-${mark}.html`)).toEqual([301, path]);
  expect(await location('/page/about.html')).toEqual([301, '/about.html']);
  await page.goto(`/page/author-${mark}.html`);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page).toHaveTitle(/^关于作者 · /);
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', '写字的人。');
  const html = await (await page.request.get(path)).text();
  expect(html).toContain('"@type":"WebPage"');
  expect(html).toContain(`${path}"/>`);
  expect((await page.request.get('/page/nothing.html')).status()).toBe(404);
});

test('the footer shows groups, friend links have a page, in every layout', async ({
  page,
  admin,
  applySettings,
}) => {
  for (const { id } of await admin.call('GET core/sys/friend-link/', {}))
    await admin.call('DELETE core/sys/friend-link/', { id });
  await resetNavigation(admin);
  await page.goto('/home');
  await expect(footer(page).getByRole('link', { name: '友情链接' })).toHaveCount(0);
  expect((await page.request.get('/page/links.html')).status()).toBe(404);

  const link = { name: '邻居的博客', url: 'https://example.com/', description: '写编译器的朋友' };
  await admin.call('POST core/sys/friend-link/', link);
  await page.goto('/home');
  await footer(page).getByRole('link', { name: '友情链接' }).click();
  await expect(page).toHaveURL(/\/page\/links\.html$/);
  const neighbour = page.getByRole('main').getByRole('link', { name: /邻居的博客/ });
  await expect(neighbour).toHaveAttribute('rel', 'noopener');
  await expect(neighbour).toHaveAttribute('target', '_blank');
  await expectAccessible(page);

  const { version } = await admin.call('GET core/sys/nav/', {});
  await admin.call('PUT core/sys/nav/', {
    version,
    header: [
      { kind: 'route', route: 'home' },
      { kind: 'route', route: 'stars' },
      { kind: 'link', url: 'https://example.com/docs', label: '文档' },
    ],
    footer: [
      {
        title: '产品',
        entries: [
          { kind: 'page', page: 'about' },
          { kind: 'route', route: 'links' },
        ],
      },
      {
        title: '支持',
        entries: [
          { kind: 'page', page: 'help' },
          { kind: 'route', route: 'feed' },
        ],
      },
    ],
  });
  for (const layout of ['top', 'side', 'mix'] as const) {
    await applySettings({ layout });
    await page.goto('/home?view=stars');
    const visible = mainNavigation(page).filter({ visible: true });
    await expect(visible.getByRole('link')).toHaveText(['首页', '码星', '文档']);
    await expect(visible.locator('[aria-current="page"]')).toHaveText('码星');
    await expect(visible.getByRole('link', { name: '文档' })).toHaveAttribute('rel', 'noopener');
    await expect(footer(page).getByRole('heading')).toHaveText(['产品', '支持']);
    await expect(footer(page).getByRole('link', { name: '订阅 RSS' })).toHaveAttribute('href', '/feed.xml');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await expectAccessible(page);
  }
  if (!isPhone(page)) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: '跳到正文' })).toBeFocused();
  }
  await applySettings({});
  await resetNavigation(admin);
});

test('edits the footer in groups and adds a friend link', async ({ page, open, admin }) => {
  await resetNavigation(admin);
  await open('/navigation');
  const part = page.getByRole('region', { name: '页脚导航' });
  await button(part, '移除：联系我们').click();
  await part.getByLabel('第 1 组的组名').fill('说明');
  await button(part, '添加一组').click();
  await button(part, '添加到第 2 组').click();
  await panel(page).getByText('外部链接').click();
  await panel(page).getByLabel('网址').fill('example.com/status');
  await panel(page).getByLabel('文字').fill('运行状态');
  await button(panel(page), '确定').click();
  await button(page, '保存').click();
  await expect(part).toContainText('已自定义');
  const { navigation } = await admin.call('GET core/site/', {});
  expect(navigation?.footer).toMatchObject([
    { title: '说明', links: [{}, {}, {}, {}, {}] },
    { title: '', links: [{ label: '运行状态', to: 'https://example.com/status' }] },
  ]);
  await button(part, '恢复默认：页脚导航').click();
  await button(panel(page), '恢复默认').click();
  await expect(part).not.toContainText('已自定义');
  expect((await admin.call('GET core/site/', {})).navigation).toBeUndefined();

  await open('/friend-link');
  const name = `邻居 ${unique()}`;
  await button(page, '添加友情链接').click();
  await panel(page).getByLabel('名称').fill(name);
  await panel(page).getByLabel('网址').fill('example.com');
  await panel(page).getByLabel('介绍').fill('写诗的人');
  await expectAccessible(page);
  await button(panel(page), '保存').click();
  await expect(row(page, name)).toContainText('https://example.com');
  await expectAccessible(page);
});
