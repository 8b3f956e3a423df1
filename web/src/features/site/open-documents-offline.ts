/** While offline the browser opens links, which the worker may have cached. Returns a function that stops this. */
export function openDocumentsOffline(basePath: string): () => void {
  function onClick(event: MouseEvent): void {
    if (navigator.onLine || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!(link instanceof HTMLAnchorElement) || !link.hasAttribute('href') || link.target !== '') return;
    if (link.origin !== location.origin || !link.pathname.startsWith(`${basePath}/`)) return;
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (isHere || link.hasAttribute('download')) return;
    event.preventDefault();
    location.assign(link.href);
  }

  // Runs before the router, which ignores events whose default was prevented.
  document.addEventListener('click', onClick, { capture: true });
  return () => document.removeEventListener('click', onClick, { capture: true });
}
