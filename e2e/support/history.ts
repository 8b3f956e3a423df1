import type { Page } from '@playwright/test';

/**
 * Asked of the page: the browser's own list of steps may not have heard of the last one yet, and goes nowhere.
 * A moment later: a step that leaves the document would cut off the answer.
 */
export const goBack = (page: Page): Promise<void> =>
  page.evaluate(() => void setTimeout(() => history.back()));
