import { TRAVEL } from './browser-history.ts';
import type { Router } from './navigation.ts';

/** The path of this site that a plain click on a link leads to. */
function linkOf(event: MouseEvent, basePath: string): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute('href') || link.hasAttribute('download'))
    return undefined;
  const isHere = link.target === '' || link.target === '_self';
  if (!isHere || link.origin !== location.origin || !link.pathname.startsWith(`${basePath}/`))
    return undefined;
  const staysOnPage = link.pathname + link.search === location.pathname + location.search;
  return staysOnPage ? undefined : link.pathname.slice(basePath.length) + link.search + link.hash;
}

/**
 * Until the returned function is called, whoever leaves by a link or the back button is asked first; for closing the tab
 * the browser asks by itself.
 */
export function askBeforeLeaving(
  router: Pick<Router, 'basePath' | 'knows' | 'navigate'>,
  ask: () => Promise<boolean>,
): () => void {
  const { href } = location;
  const state: unknown = history.state;
  const stop = new AbortController();
  const { signal } = stop;
  let asking = false;
  /** The reader has agreed. */
  let leaving = false;

  async function mayLeave(): Promise<boolean> {
    if (asking) return false;
    asking = true;
    leaving = await ask();
    asking = false;
    return leaving;
  }

  async function onClick(event: MouseEvent): Promise<void> {
    const to = event.defaultPrevented ? undefined : linkOf(event, router.basePath);
    if (to === undefined || !router.knows(to)) return;
    event.preventDefault();
    if (!(await mayLeave())) return;
    await router.navigate(to);
    leaving = false;
  }

  async function onTravel(event: Event): Promise<void> {
    if (leaving) return;
    event.preventDefault();
    // The address has changed already: back to this one, on top of the one that was wanted.
    history.pushState(state, '', href);
    if (await mayLeave()) history.back();
  }

  function onBeforeUnload(event: BeforeUnloadEvent): void {
    if (!leaving) event.preventDefault();
  }

  // After whatever the link does by itself, before the router, which leaves alone what has been dealt with.
  document.body.addEventListener('click', onClick, { signal });
  addEventListener(TRAVEL, onTravel, { signal });
  addEventListener('beforeunload', onBeforeUnload, { signal });
  return () => stop.abort();
}
