import type { BrowserContext } from '@playwright/test';

export interface BrowserErrors {
  /** Allows expected errors, such as the console message about a 401. */
  allow(pattern: RegExp): void;
  list(): string[];
}

/** Collects console errors and uncaught exceptions of every page of a context. */
export function collectBrowserErrors(context: BrowserContext): BrowserErrors {
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
