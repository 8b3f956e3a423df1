import type { Page } from '@playwright/test';
import { withBrowser } from './browser.ts';

/** Simulates a mid-range phone. The first journey is a page with one button, as the lower bound. */
const CPU_SLOWDOWN = 4;
const MAX_MS = 100;

/** Longest interaction since the last call (Interaction to Next Paint). */
async function longestInteraction(page: Page): Promise<number> {
  // Entries arrive one frame later.
  await page.waitForTimeout(500);
  return page.evaluate(() => {
    const scope = window as { interactions?: number[] };
    const result = Math.max(0, ...(scope.interactions ?? []));
    scope.interactions = [];
    return result;
  });
}

function watchInteractions(): void {
  const scope = window as { interactions?: number[] };
  scope.interactions = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { interactionId, duration } = entry as PerformanceEntry & { interactionId: number };
      if (interactionId > 0) scope.interactions?.push(duration);
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

await withBrowser(async ({ page, admin }) => {
  const { list } = await admin.call('GET core/essay/', { pageSize: 1 });
  const essay = `/essay/detail/${list[0]?.id}.html`;
  const { id } = await admin.call('POST core/essay/', {
    title: '一篇草稿',
    content: '第一段。\n\n第二段。',
    status: 0,
  });
  const journeys: [name: string, path: string, act: () => Promise<void>][] = [
    ['open the menu', '/home', () => page.getByRole('button', { name: /账户菜单/ }).click()],
    [
      'switch feed tabs',
      '/home',
      () => page.getByRole('link', { name: '最新', exact: true }).first().click(),
    ],
    ['open the search', '/home', () => page.getByRole('combobox', { name: /搜索/ }).click()],
    ['like', essay, () => page.getByRole('button', { name: /赞/ }).first().click()],
    ['open comments', essay, () => page.getByRole('link', { name: /评论/ }).first().click()],
    [
      'type in the editor',
      `/essay/edit.html?id=${id}`,
      async () => {
        await page.getByRole('textbox', { name: '正文，Markdown' }).click();
        await page.keyboard.type('写一句话', { delay: 100 });
      },
    ],
  ];
  const press = () => page.getByRole('button').click();
  journeys.unshift(['one button', 'data:text/html,<button>press</button>', press]);
  await page.addInitScript(watchInteractions);
  const session = await page.context().newCDPSession(page);
  for (const [name, path, act] of journeys) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.waitForTimeout(1000);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await longestInteraction(page);
    await act();
    const took = await longestInteraction(page);
    console.log(`${name}: ${took} ms to the next paint`);
    if (took > MAX_MS) process.exitCode = 1;
  }
});
