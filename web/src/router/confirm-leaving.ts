import { BEFORE_TRAVERSE } from './browser-history.ts';
import type { Router } from './navigation.ts';

/** The internal URL that an unmodified click on a link would open. */
function internalLinkUrl(event: MouseEvent, basePath: string): string | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute('href') || link.hasAttribute('download'))
    return undefined;
  const opensInThisWindow = link.target === '' || link.target === '_self';
  if (!opensInThisWindow || link.origin !== location.origin || !link.pathname.startsWith(`${basePath}/`))
    return undefined;
  const staysOnPage = link.pathname + link.search === location.pathname + location.search;
  return staysOnPage ? undefined : link.pathname.slice(basePath.length) + link.search + link.hash;
}

/**
 * Asks for confirmation before a link, back or forward leaves the page, until the returned function is called. The
 * browser itself asks before the tab is closed.
 */
export function confirmBeforeLeaving(
  router: Pick<Router, 'basePath' | 'hasRoute' | 'navigate'>,
  confirm: () => Promise<boolean>,
): () => void {
  const { href } = location;
  const state: unknown = history.state;
  const stop = new AbortController();
  const { signal } = stop;
  let isConfirming = false;
  /** Leaving was confirmed. */
  let leaving = false;

  async function mayLeave(): Promise<boolean> {
    if (isConfirming) return false;
    isConfirming = true;
    leaving = await confirm();
    isConfirming = false;
    return leaving;
  }

  async function onClick(event: MouseEvent): Promise<void> {
    const to = event.defaultPrevented ? undefined : internalLinkUrl(event, router.basePath);
    if (to === undefined || !router.hasRoute(to)) return;
    event.preventDefault();
    if (!(await mayLeave())) return;
    await router.navigate(to);
    leaving = false;
  }

  async function onTraverse(event: Event): Promise<void> {
    if (leaving) return;
    event.preventDefault();
    // The URL has changed already: push the current one again, on top of the requested one.
    history.pushState(state, '', href);
    if (await mayLeave()) history.back();
  }

  function onBeforeUnload(event: BeforeUnloadEvent): void {
    if (!leaving) event.preventDefault();
  }

  // On the body: after handlers of the link itself, before the router, which ignores prevented clicks.
  document.body.addEventListener('click', onClick, { signal });
  addEventListener(BEFORE_TRAVERSE, onTraverse, { signal });
  addEventListener('beforeunload', onBeforeUnload, { signal });
  return () => stop.abort();
}
