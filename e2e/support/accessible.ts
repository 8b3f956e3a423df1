import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe calls best practice. */
const MORE = { 'empty-table-header': { enabled: true } };

/**
 * WCAG 2.2 AA as far as a program can tell; the message names each rule, the element and what to change. In the long run
 * only: axe takes a third of the time of the tests it is in.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (process.env.E2E_EVERYWHERE !== '1') return;
  await settled(page);
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: { type: 'tag', values: RULES }, rules: MORE })
    .analyze();
  const report = violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}（${help}）${node.target.join(' ')}：${node.failureSummary ?? ''}`),
  );
  expect(report, `${page.url()} 的无障碍问题`).toEqual([]);
}

/** Colours half-way through a transition are nobody's choice, so what moves comes to its end first. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // What has just been asked for begins with the next frame.
    await new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun)));
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}
