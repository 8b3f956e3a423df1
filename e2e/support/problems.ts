import type { BrowserContext } from '@playwright/test';

/** What went wrong in the browser without any test asking for it. */
export interface Problems {
  /** Expected in this test, such as the browser's own line about a 401. */
  allow(pattern: RegExp): void;
  list(): string[];
}

/** Collects console errors and uncaught exceptions of every page of a context, from now on. */
export function collectProblems(context: BrowserContext): Problems {
  const found: string[] = [];
  const allowed: RegExp[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => {
    found.push(error.error().stack ?? String(error.error()));
  });
  return {
    allow: (pattern) => {
      allowed.push(pattern);
    },
    list: () => found.filter((problem) => !allowed.some((pattern) => pattern.test(problem))),
  };
}
