import { type ComponentType, lazy } from 'react';

/** What a page says of itself in the head; see features/site/head.tsx. */
const SAID =
  'title, meta[name="description"], meta[name="robots"], meta[name="twitter:card"], meta[property], link[rel="canonical"], link[rel="alternate"], script[type="application/ld+json"]';

/** Until the reader first touches it, or no longer than it takes to begin to read. */
export type Still = 'untouched' | 'at-first';

/**
 * A page that is complete as the server rendered it: its code comes later. `takenOver` is called when it has, `leave`
 * by whoever goes on: React takes away only what it has taken over.
 */
export function stillPage<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let isTakenOver = false;

  const Page = lazy(async () => {
    // Code that cannot be fetched leaves the page as it is, which reads.
    return { default: await load().catch(() => new Promise<never>(() => {})) };
  });

  function leave(): void {
    if (isTakenOver) return;
    isTakenOver = true;
    for (const element of document.head.querySelectorAll(SAID)) element.remove();
  }

  return {
    Page,
    leave,
    takenOver: () => {
      isTakenOver = true;
    },
  };
}
