import type { Page } from '@playwright/test';

/**
 * Calls `history.back` in the page, because Playwright's `goBack` may not know the latest entry yet. Deferred, because
 * navigation would abort the evaluation.
 */
export const goBack = (page: Page): Promise<void> =>
  page.evaluate(() => void setTimeout(() => history.back()));

/** Waits until a page that was just opened handles clicks on links; before that, they load another document. */
export async function waitForRouter(page: Page): Promise<void> {
  await page.waitForFunction(() => history.state !== null);
}
