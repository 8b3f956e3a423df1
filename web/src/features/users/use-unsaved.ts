import { useEffect, useRef } from 'react';
import { useRouter } from '#web/router.tsx';
import { confirm } from '#web/ui/confirm.tsx';

const ask = () =>
  confirm({
    title: '离开这一页？',
    text: '刚才的修改还没有保存，离开以后就没有了。',
  });

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
 * While something is unsaved, whoever leaves by a link or the back button is asked first; for closing the tab the
 * browser asks by itself. Listens ahead of the router, which then never hears of it.
 */
export function useUnsaved(unsaved: boolean): void {
  const router = useRouter();
  /** The reader has agreed to leave. */
  const leaving = useRef(false);

  useEffect(() => {
    if (!unsaved) return;
    leaving.current = false;
    const { href } = location;
    const state: unknown = history.state;
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    let asking = false;

    async function mayLeave(): Promise<boolean> {
      if (asking) return false;
      asking = true;
      leaving.current = await ask();
      asking = false;
      return leaving.current;
    }

    async function onClick(event: MouseEvent): Promise<void> {
      const to = linkOf(event, router.basePath);
      if (to === undefined || !router.knows(to)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!(await mayLeave())) return;
      await router.navigate(to);
      leaving.current = false;
    }

    async function onPopState(event: PopStateEvent): Promise<void> {
      if (leaving.current) return;
      event.stopImmediatePropagation();
      // The address has changed already: back to this one, on top of the one that was wanted.
      history.pushState(state, '', href);
      if (await mayLeave()) history.back();
    }

    function onBeforeUnload(event: BeforeUnloadEvent): void {
      if (!leaving.current) event.preventDefault();
    }

    addEventListener('click', onClick, options);
    addEventListener('popstate', onPopState, options);
    addEventListener('beforeunload', onBeforeUnload, options);
    return () => stop.abort();
  }, [unsaved, router]);
}
