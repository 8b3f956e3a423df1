import { type ComponentType, lazy } from 'react';

/** Head elements that belong to a page; see features/site/head.tsx. */
const PAGE_HEAD_SELECTOR =
  'title, meta[name="description"], meta[name="robots"], meta[name="twitter:card"], meta[property], link[rel="canonical"], link[rel="alternate"], script[type="application/ld+json"]';

/** Until the first interaction, or at most a few seconds. */
export type StaticMode = 'untouched' | 'at-first';

/**
 * A server-rendered page whose code is loaded later. `onHydrated` is called when React has hydrated it, `onLeave` before
 * another page is shown: React removes only head elements that it has hydrated.
 */
export function createStaticPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let isHydrated = false;

  const Page = lazy(async () => {
    // If the code cannot be fetched, suspend for ever: the server's HTML stays readable.
    return { default: await load().catch(() => new Promise<never>(() => {})) };
  });

  function onLeave(): void {
    if (isHydrated) return;
    isHydrated = true;
    for (const element of document.head.querySelectorAll(PAGE_HEAD_SELECTOR)) element.remove();
  }

  return {
    Page,
    onLeave,
    onHydrated: () => {
      isHydrated = true;
    },
  };
}
