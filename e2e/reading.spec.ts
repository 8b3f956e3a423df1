import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.ts';
import { newWriter, publishEssay } from './support/essays.ts';
import { goBack } from './support/history.ts';
import { layoutShift } from './support/layout-shift.ts';
import { uploadPicture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';
import { storeSession, type TestUser } from './support/users.ts';

const long = (sentence: string) => sentence.repeat(60);

/** Contains every Markdown feature; `picture` is the URL of an uploaded image. */
const everything = (picture: string, other: string) => `开头一段，讲为什么会有这篇文章。[^1]

## 真正遇到的问题

参见[另一篇](/essay/detail/${other}.html)。${long('双写不是小概率事件。')}

\`\`\`ts
const one = 1;
const two = one + 1;
\`\`\`

## 一张表能做什么

![示意图](${picture})

${long('任务表没有任何新意。')}

| 色相 | 变化前后 | 明度差 | 彩度 |
|---|---|---|---|
| 30° | \`#d98026\` → \`#ad661f\` | −0.102 | 0.146→0.122 |

## 什么时候不要学我们

${long('工具没有高下，只有合不合身。')}

[^1]: 统计口径：二十四小时内没有下游记录。
`;

async function publishEverything(baseURL = '') {
  const writer = await newWriter(baseURL);
  const { id: other } = await publishEssay(baseURL, { writer, title: '被提到的那一篇' });
  const content = everything(await uploadPicture(writer, baseURL, { width: 900, height: 600 }), other);
  const essay = await publishEssay(baseURL, {
    writer,
    title: '为什么我们把消息队列换回了一张表',
    content,
    tags: ['后端'],
    declaration: 'ai-assisted',
  });
  return { ...essay, other };
}

/** Triggers and awaits the code that loads on the first interaction. */
async function triggerDeferredCode(page: Page): Promise<void> {
  await page.mouse.move(200, 300);
  await page.mouse.move(210, 310);
  await expect(
    page.locator('[data-text] img[role="button"]').or(page.locator('#footnote-note')),
  ).not.toHaveCount(0);
}

/** Words of tables that are broken across lines. */
const brokenWords = (page: Page) =>
  page.locator('[data-text] td').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken: string[] = [];
      while (texts.nextNode()) {
        for (const word of (texts.currentNode.nodeValue ?? '').matchAll(/[!-~−→°]+/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, word.index);
          range.setEnd(texts.currentNode, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            broken.push(word[0]);
        }
      }
      return broken;
    }),
  );

/** Sends browser headers, because reads by other programs are not counted. */
async function readTo({ token }: TestUser, essayId: string, progress: number, baseURL = ''): Promise<void> {
  const agent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const response = await fetch(new URL('/api/core/essay/read', baseURL), {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', 'user-agent': agent },
    body: JSON.stringify({ essayId, progress }),
  });
  if (!response.ok) throw new Error(`没有记下阅读：${response.status}`);
}

const detail = (id: string) => `/essay/detail/${id}.html`;
const mobile = (id: string) => `/essay/mdetail/${id}.html`;

test('home lists essays with paging, opens one and returns', async ({ page, request, baseURL }) => {
  test.slow();
  const writer = await newWriter(baseURL);
  for (let count = 0; count < 11; count += 1) await publishEssay(baseURL, { writer });
  const html = await (await request.get('/home?feed=latest')).text();
  expect(html).toMatch(/href="\/home\?feed=latest&amp;page=2"[^>]*rel="next"/);
  expect((await request.get('/home?feed=latest&page=2')).status()).toBe(200);
  expect((await request.get('/home?feed=latest&page=9999')).status()).toBe(404);

  await page.goto('/home');
  await page.getByRole('link', { name: '最新', exact: true }).click();
  await expect(page).toHaveURL(/\/home\?feed=latest$/);
  const entries = page.getByRole('list', { name: '文章', exact: true }).getByRole('article');
  await expect(entries).toHaveCount(10);
  await entries.last().scrollIntoViewIfNeeded();
  await expect.poll(() => entries.count()).toBeGreaterThan(10);
  // The newest essay may be that of another test, with an address of words.
  const link = entries.first().getByRole('heading').getByRole('link');
  const path = (await link.getAttribute('href')) ?? '';
  expect(path).toMatch(/^\/essay\/detail\/[^/]+\.html$/);
  await link.click();
  await expect(page).toHaveURL(({ pathname }) => pathname === path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('title')).toHaveCount(1);
  await goBack(page);
  await expect(page).toHaveURL(/\/home\?feed=latest$/);
});

test('the following feed requires signing in', async ({ page, baseURL, newUser }) => {
  await page.goto('/home?feed=following');
  await expect(page.getByText('登录后，看关注的人写了什么')).toBeVisible();

  const { title, writer } = await publishEssay(baseURL);
  const reader = await newUser();
  await storeSession(page, reader);
  await page.goto('/home?feed=following');
  await expect(page.getByText('还没有关注的人')).toBeVisible();
  await reader.call('POST core/essay/follow', { userId: writer.user.id });
  await page.reload();
  await expect(page.getByRole('link', { name: title })).toBeVisible();
});

test('an essay page has metadata and contains the text only once', async ({ request, baseURL }) => {
  const { id } = await publishEverything(baseURL);
  const response = await request.get(detail(id));
  expect(response.status()).toBe(200);
  const html = await response.text();
  expect(html).toContain('<title>为什么我们把消息队列换回了一张表');
  expect(html).toMatch(new RegExp(`<link rel="canonical" href="http[^"]+${detail(id)}"`));
  expect(html).toContain('"@type":"Article"');
  expect(html).toContain('"@type":"BreadcrumbList"');
  expect(html.split('只有合不合身').length - 1).toBe(60);
  expect(html).not.toContain(' style="');
  const bare = await (await request.get(mobile(id))).text();
  expect(bare).toMatch(new RegExp(`<link rel="canonical" href="http[^"]+${detail(id)}"`));
});

test('the table of contents follows the scroll position @large', async ({ page, baseURL }) => {
  const { id } = await publishEverything(baseURL);
  await page.goto(detail(id));
  const contents = page.getByRole('navigation', { name: '目录', exact: true });
  await contents.getByRole('link', { name: '一张表能做什么' }).click();
  await expect(contents.getByRole('link', { name: '一张表能做什么' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(page).toHaveURL(/#h-/);
  await page
    .getByRole('heading', { name: '什么时候不要学我们' })
    .evaluate((heading) => heading.scrollIntoView());
  await expect(contents.getByRole('link', { name: '什么时候不要学我们' })).toHaveAttribute(
    'aria-current',
    'true',
  );

  // Scroll to the top, then past a heading in one jump.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expect(contents.locator('[aria-current]')).toHaveCount(0);
  await page
    .getByRole('heading', { name: '一张表能做什么' })
    .evaluate((heading) =>
      scrollTo({ top: heading.getBoundingClientRect().bottom + 5, behavior: 'instant' }),
    );
  await expect(contents.getByRole('link', { name: '一张表能做什么' })).toHaveAttribute(
    'aria-current',
    'true',
  );
});

test('copies code, links sections, zooms pictures and displays footnotes in place', async ({
  page,
  context,
  baseURL,
  isMobile,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const { id } = await publishEverything(baseURL);
  await page.goto(detail(id));
  await triggerDeferredCode(page);

  await page.getByRole('button', { name: '复制', exact: true }).click();
  await expect(page.getByRole('button', { name: '已复制' })).toBeVisible();
  expect(await copied()).toBe('const one = 1;\nconst two = one + 1;');

  // Phones have no anchor links beside headings.
  if (!isMobile) {
    const heading = page.getByRole('heading', { name: '一张表能做什么', exact: true });
    await heading.hover();
    await heading.locator('a.anchor').click();
    await expect(page.getByText('本节链接已复制')).toBeVisible();
    expect(await copied()).toMatch(/#h-/);
  }

  const picture = page.getByRole('button', { name: '放大图片：示意图' });
  await picture.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: '示意图' });
  await expect(dialog.getByRole('img')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(picture).toBeFocused();

  const url = page.url();
  await page.locator('a[data-footnote-ref]').click();
  await expect(page.getByRole('note').filter({ hasText: '统计口径' })).toBeVisible();
  expect(page.url(), 'no jump').toBe(url);
  await page.keyboard.press('Escape');
  await expect(page.locator('#footnote-note')).toBeHidden();
});

test('readers can change the font size', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL);
  await page.goto(detail(id));
  const root = page.locator('html');
  const more = page.getByRole('button', { name: '更多' }).filter({ visible: true });
  const larger = page.getByRole('button', { name: '放大文字' }).filter({ visible: true });
  await more.click();
  await larger.click();
  await expect(root).toHaveAttribute('data-reading', /l/);
  await page.reload({ waitUntil: 'commit' });
  await expect(root).toHaveAttribute('data-reading', /l/);
});

test('counts a read after a delay and restores the reading position', async ({ page, baseURL, api }) => {
  const { id } = await publishEverything(baseURL);
  await page.goto(detail(id));
  const counted = page.waitForRequest((request) => request.url().includes('core/essay/read'));
  await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
  expect((await counted).postDataJSON()).toMatchObject({ essayId: id });

  await page.goto('/about.html');
  await page.goto(detail(id));
  const resume = page.getByRole('button', { name: /上次读到 \d+%，继续阅读/ });
  await expect(resume).toBeVisible();
  await resume.click();
  await expect(resume).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await expect.poll(async () => (await api('GET core/essay/{id}', { id })).readCount).toBe(1);
});

test('stores the reading position of a signed-in reader on the server and in the history', async ({
  page,
  reader,
  baseURL,
}) => {
  const { id, title } = await publishEverything(baseURL);
  await readTo(reader, id, 43, baseURL);
  await page.goto(detail(id));
  await expect(page.getByRole('button', { name: '上次读到 43%，继续阅读' })).toBeVisible();
  await page.goto('/account/center.html?tab=history');
  const list = page.getByRole('list', { name: '足迹' });
  await expect(list).toContainText('读到 43%');
  await expectAccessible(page);
  await list.getByRole('link', { name: `继续阅读《${title}》` }).click();
  await expect(page).toHaveURL(new RegExp(detail(id)));
});

test('the page does not contain locked text', async ({ page, request, baseURL }) => {
  const { id } = await publishEssay(baseURL, {
    price: 600,
    memberFree: true,
    previewPercent: 30,
    content: `${long('试读的开头。')}\n\n## 收费的标题\n\n${long('藏起来的秘密。')}`,
  });
  for (const path of [detail(id), mobile(id)]) {
    const html = await (await request.get(path)).text();
    expect(html).not.toContain('藏起来的秘密');
    expect(html).not.toContain('收费的标题');
    expect(html).toContain('"isAccessibleForFree":false');
    expect(html.replaceAll('<!-- -->', ''), 'what membership costs').toMatch(/¥ [\d.]+ <small>\/ \d+ 天/);
  }
  await page.goto(detail(id));
  const card = page.getByRole('region', { name: '这是一篇付费文章' });
  await expect(card).toContainText('¥ 6');
  await expect(card).toContainText('会员免费读');
  await expect(card.getByRole('button')).toHaveCount(0);
  await expectAccessible(page);
});

test('pages for in-app browsers link to each other', { tag: '@long' }, async ({ page, baseURL }) => {
  const { id, other, writer } = await publishEverything(baseURL);
  await page.goto(mobile(id));
  await expect(page.getByRole('navigation', { name: '所在位置' })).not.toBeEmpty();
  await expect(
    page.locator('main').locator('a[href^="/home"], a[href$=".html"]:not([href*="/m"], [href^="/login"])'),
  ).toHaveCount(0);
  await expect(page.locator('[data-text]').getByRole('link', { name: '另一篇' })).toHaveAttribute(
    'href',
    mobile(other),
  );
  await expectAccessible(page);
  await page.locator('[data-text]').getByRole('link', { name: '另一篇' }).click();
  await expect(page).toHaveURL(new RegExp(mobile(other)));
  await page.goto('/mhome.html?feed=latest');
  await expect(page.getByRole('article').first().getByRole('heading').getByRole('link')).toHaveAttribute(
    'href',
    /\/essay\/mdetail\//,
  );
  await page.goto(`/user/mhome/${writer.user.id}.html`);
  await expect(page.getByRole('article').first().getByRole('heading').getByRole('link')).toHaveAttribute(
    'href',
    /\/essay\/mdetail\//,
  );
});

test('the print layout contains only the text', async ({ page, baseURL }) => {
  const { id } = await publishEverything(baseURL);
  await page.goto(detail(id));
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('toolbar', { name: '文章操作' }).filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('region', { name: /^评论/ })).toHaveCount(0);
});

test('a deleted essay displays a message', async ({ page, baseURL, browserErrors }) => {
  browserErrors.allow(/status of 410/);
  const { id, writer } = await publishEssay(baseURL);
  await writer.call('DELETE core/essay/{id}', { id });
  const response = await page.goto(detail(id));
  expect(response?.status()).toBe(410);
  await expect(page.getByRole('heading', { name: '这一页已经删除' })).toBeVisible();
});

test('displays the beginning of a short paid essay and counts no read', async ({ page, baseURL }) => {
  const content = '这一句谁都能读到。\n\n后面的要买了才能读。\n\n再后面也是。';
  const { id } = await publishEssay(baseURL, { content, price: 300, previewPercent: 40 });
  await page.goto(detail(id));
  const beginning = page.getByText('这一句谁都能读到。');
  await expect(beginning).toBeVisible();
  await expect(page.getByRole('region', { name: '这是一篇付费文章' })).toBeVisible();
  const isOnTop = await beginning.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 5, y)));
  });
  expect(isOnTop, 'nothing lies over it').toBe(true);
  await page.mouse.move(200, 300);
  await expect
    .poll(() =>
      page.evaluate(() => document.querySelector('[class*="bar_"][aria-hidden]')?.getAttribute('style')),
    )
    .toMatch(/scaleX\(0\)/);
});

test('authors see their unpublished essays', async ({ page, baseURL, browserErrors }) => {
  browserErrors.allow(/status of 404/);
  const writer = await newWriter(baseURL);
  const { id } = await writer.call('POST core/essay/', { title: '还没写完', content: '一半' });
  await storeSession(page, writer);
  const response = await page.goto(detail(id));
  expect(response?.status(), 'the server’s page is everyone’s').toBe(404);
  await expect(page.getByRole('heading', { name: '还没写完' })).toBeVisible();
  await expect(page.getByText('这是一篇草稿')).toBeVisible();
});

test('following updates immediately and reverts on failure', async ({
  page,
  reader,
  baseURL,
  browserErrors,
}) => {
  browserErrors.allow(/status of 500|Failed to load/);
  const { id, writer } = await publishEssay(baseURL, { content: '一段话。\n\n'.repeat(80) });
  /** This part is hydrated after the follow state is known, which the server-rendered HTML does not contain. */
  async function openAtEnd(): Promise<void> {
    const known = page.waitForResponse((response) => response.url().includes(`/api/core/essay/${id}`));
    await page.goto(detail(id));
    await (await known).finished();
    await page.getByRole('region', { name: '作者' }).scrollIntoViewIfNeeded();
  }
  await openAtEnd();
  const button = page
    .getByRole('region', { name: '作者' })
    .getByRole('button', { name: `关注${writer.user.displayName}` });
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await expect(button).toContainText('已关注');
  const followed = async () =>
    (await reader.call('GET core/user/follower', { type: 'following' })).list.map((user) => user.id);
  await expect.poll(followed).toEqual([writer.user.id]);

  await openAtEnd();
  await expect(button).toContainText('已关注');

  await page.route('**/api/core/essay/follow*', (route) => route.fulfill({ status: 500, body: '{}' }));
  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
});

test('no accessibility violations, overflow or layout shift in light and dark', {
  tag: '@long',
}, async ({ page, baseURL }) => {
  test.slow();
  const { id } = await publishEverything(baseURL);
  for (const path of ['/home', '/essay/program.html', '/home?tag=后端', detail(id), mobile(id)]) {
    await page.goto(path);
    const times = page.getByRole('main').locator('time');
    const timesBefore = await times.allTextContents();
    await page.mouse.move(100, 200);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      await expectAccessible(page);
    }
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      path,
    ).toBeLessThanOrEqual(0);
    expect(await times.allTextContents(), path).toEqual(timesBefore);
    if (path === detail(id)) expect(await brokenWords(page), 'words broken inside table cells').toEqual([]);
    expect(await layoutShift(page), path).toBeLessThan(0.02);
  }
  // Equals a large screen at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 256 });
  for (const path of ['/home', detail(id), mobile(id)]) {
    await page.goto(path);
    expect(await coveredHeight(page), path).toBeLessThanOrEqual(128);
  }
});

/** Height covered by fixed and sticky elements. */
const coveredHeight = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, 600);
    const isFixed = (element: Element | null): boolean =>
      element !== null &&
      (/fixed|sticky/.test(getComputedStyle(element).position) || isFixed(element.parentElement));
    let covered = 0;
    for (let y = 0; y < innerHeight; y++)
      if (isFixed(document.elementFromPoint(innerWidth / 2, y))) covered += 1;
    return covered;
  });

test('the first load of an essay stays within the size budget', async ({ page, baseURL }) => {
  const { id } = await publishEverything(baseURL);
  let bytes = 0;
  const measured: Promise<void>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    measured.push(
      response.body().then((body) => {
        bytes += gzipSync(body, { level: 9 }).length;
      }),
    );
  });
  // Deferred code loads after seconds, which must not elapse while a busy machine loads the page.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(3_600_000);
  await page.goto(detail(id), { waitUntil: 'networkidle' });
  await Promise.all(measured);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes / 1024).toBeLessThanOrEqual(4);
});
