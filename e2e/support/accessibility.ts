import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** axe rules tagged as best practice. */
const MORE = { 'empty-table-header': { enabled: true } };

/**
 * Checks WCAG 2.2 AA with axe; the message names each rule, the element and the fix. Runs only in the long run, because
 * axe takes a third of the test time. `within` is a selector; default: the whole page.
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  if (process.env.E2E_EVERYWHERE !== '1') return;
  await waitForAnimations(page);
  const { violations } = await new AxeBuilder({ page })
    // Otherwise results are put together in a new page, which takes as long as the check and is needed for frames only.
    .setLegacyMode(page.frames().length === 1)
    .include(within)
    .options({ runOnly: { type: 'tag', values: RULES }, rules: MORE, resultTypes: ['violations'] })
    .analyze();
  const report: string[] = [];
  for (const { id, help, nodes } of violations)
    for (const { target, failureSummary } of nodes) {
      const selector = target.join(' ');
      if (id === 'target-size' && (await isLargeInTheMiddle(page, selector))) continue;
      report.push(`${id} (${help}) ${selector}: ${failureSummary ?? ''}`);
    }
  expect(report, `accessibility of ${page.url()}`).toEqual([]);
}

/** Whether a target is too small only because a bar covers it where the page is scrolled to. */
async function isLargeInTheMiddle(page: Page, selector: string): Promise<boolean> {
  await page.locator(selector).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const { violations } = await new AxeBuilder({ page })
    .include(selector)
    .withRules(['target-size'])
    .analyze();
  return violations.length === 0;
}

/** Waits for animations, because colours during a transition are not final. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Pending animations start in the next frame.
    await new Promise((begun) => requestAnimationFrame(() => requestAnimationFrame(begun)));
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}
