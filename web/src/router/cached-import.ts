/** A promise whose result React's `use` can read synchronously once it is fulfilled. */
interface TrackedPromise<T> extends Promise<T> {
  status?: 'fulfilled';
  value?: T;
}

/**
 * Caches a dynamic import that only one view of a page needs. The page's `load` awaits it, on the server too, so that
 * the view can be rendered synchronously; a server-rendered page stays as it is until the import has finished.
 */
export function cachedImport<T>(fetch: () => Promise<T>): () => Promise<T> {
  let fetched: TrackedPromise<T> | undefined;
  return () => {
    if (fetched !== undefined) return fetched;
    const code: TrackedPromise<T> = fetch();
    fetched = code;
    code.then(
      (value) => Object.assign(code, { status: 'fulfilled', value }),
      () => {
        fetched = undefined;
      },
    );
    return code;
  };
}
