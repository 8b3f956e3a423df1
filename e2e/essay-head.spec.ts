import { newWriter, publishEssay } from './support/essays.ts';
import { expect, test } from './support/test.ts';
import { storeSession } from './support/users.ts';

const detail = (id: string) => `/essay/detail/${id}.html`;
const TITLE = '为什么我们把消息队列换回了一张表';

test('the head has the lede, the category and a button to follow the author', async ({
  page,
  reader,
  baseURL,
}) => {
  const { id, writer } = await publishEssay(baseURL, {
    title: TITLE,
    summary: '三年后拆掉它，是因为终于看清了。',
  });
  await page.goto(detail(id));
  const head = page.getByRole('article').locator('header').first();
  await expect(head.getByText('三年后拆掉它，是因为终于看清了。')).toBeVisible();
  const category = head.getByRole('navigation', { name: '所在位置' }).getByRole('link').first();
  await expect(
    page
      .getByRole('navigation', { name: '主导航' })
      .getByRole('link', { name: (await category.textContent()) ?? '', exact: true }),
  ).toHaveAttribute('aria-current', 'true');
  const follow = head.getByRole('button', { name: `关注${writer.user.displayName}` });
  await follow.click();
  await expect(follow).toContainText('已关注');
  await expect
    .poll(async () => (await reader.call('GET core/user/follower', { type: 'following' })).list.length)
    .toBe(1);
});

test('a summary taken from the text is not repeated as a lede', async ({ page, baseURL }) => {
  const { id } = await publishEssay(baseURL, { title: TITLE, content: '这是正文的第一句话。' });
  await page.goto(detail(id));
  await expect(page.getByText('这是正文的第一句话。')).toHaveCount(1);
});

test('lines of titles end between words', async ({ page, baseURL }) => {
  const writer = await newWriter(baseURL);
  const { id } = await publishEssay(baseURL, { writer, title: TITLE });
  /** The lines of the title as the browser displays them. */
  const linesOf = (selector: string) =>
    page.locator(selector).evaluate((title) => {
      const lines: string[] = [];
      let top = Number.NaN;
      const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode as Text;
        for (let at = 0; at < node.length; at++) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const box = range.getBoundingClientRect();
          if (Math.abs(box.top - top) > 5 || Number.isNaN(top)) lines.push('');
          top = box.top;
          lines.push(`${lines.pop() ?? ''}${node.data[at]}`);
        }
      }
      return lines;
    });
  const words = ['为什么', '我们', '把', '消息队列', '换回了', '一张', '表'];
  const isOfWords = (line: string) => {
    let rest = line;
    for (let word = words.find((each) => rest.startsWith(each)); word; ) {
      rest = rest.slice(word.length);
      word = words.find((each) => rest.startsWith(each));
    }
    return rest === '';
  };
  await page.goto(detail(id));
  for (const width of [300, 320, 340, 375, 410]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await linesOf('h1');
    expect(lines.join('')).toBe(TITLE);
    expect(lines.length, `several lines at ${width}`).toBeGreaterThan(1);
    expect(
      lines.filter((line) => !isOfWords(line)),
      `lines at ${width}: ${lines.join(' / ')}`,
    ).toEqual([]);
  }
  await page.goto(`/user/home/${writer.user.id}.html`);
  const inList = await linesOf(`a[href*="${id}"] >> nth=0`);
  expect(inList.filter((line) => !isOfWords(line))).toEqual([]);
});

test('titles have the gap between Chinese and Latin letters, and lines may end there', async ({
  page,
  baseURL,
}) => {
  const { id } = await publishEssay(baseURL, { title: '为什么把消息队列换回PostgreSQL的一张表' });
  await page.goto(detail(id));
  const title = page.getByRole('heading', { level: 1 });
  const gaps = await title.evaluate((title) => {
    const width = () =>
      [...title.querySelectorAll('span')]
        .flatMap((words) => [...words.getClientRects()])
        .reduce((sum, line) => sum + line.width, 0);
    const withGaps = width();
    title.style.setProperty('text-autospace', 'no-autospace');
    return withGaps - width();
  });
  expect(gaps).toBeGreaterThan(4);
  await page.setViewportSize({ width: 320, height: 800 });
  const { height, lineHeight } = await title.evaluate((title) => {
    title.style.removeProperty('text-autospace');
    title.style.setProperty('width', '7em');
    return {
      height: title.getBoundingClientRect().height,
      lineHeight: Number.parseFloat(getComputedStyle(title).lineHeight),
    };
  });
  expect(Math.round(height / lineHeight), '为什么把 / 消息队列换回 / PostgreSQL / 的一张表').toBe(4);
});

test('the menu 更多 has the downloads and the report', async ({ page, reader, baseURL }) => {
  const { id } = await publishEssay(baseURL, { content: '一段话。\n\n'.repeat(60) });
  await page.goto(detail(id));
  const more = page.getByRole('button', { name: '更多' }).filter({ visible: true });
  await more.click();
  await page.getByRole('button', { name: '下载与打印' }).click();
  await expect(page.getByRole('region', { name: '下载' })).toBeInViewport();
  await more.click();
  await page.getByRole('region', { name: '更多' }).getByRole('button', { name: '举报' }).click();
  await expect(page.getByRole('dialog', { name: /举报/ })).toBeVisible();
  expect(reader.user.id).not.toBe('');
});

test('on a phone the name has room beside the buttons of staff', { tag: '@long' }, async ({
  page,
  baseURL,
  admin,
}) => {
  const { id, writer } = await publishEssay(baseURL, { title: TITLE });
  await storeSession(page, admin);
  await page.setViewportSize({ width: 375, height: 800 });
  await page.goto(detail(id));
  const head = page.getByRole('article').locator('header').first();
  await expect(head.getByRole('link', { name: '编辑' })).toBeVisible();
  await expect(head.getByRole('button', { name: `关注${writer.user.displayName}` })).toBeVisible();
  const name = await head
    .getByRole('link', { name: writer.user.displayName })
    .locator('xpath=../..')
    .boundingBox();
  expect(name?.width).toBeGreaterThan(200);
});
