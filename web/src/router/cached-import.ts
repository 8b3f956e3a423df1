/** A promise whose result React's `use` can read synchronously once it is fulfilled. */
interface TrackedPromise<T> extends Promise<T> {
  status?: 'fulfilled';
  value?: T;
}

/** React renders again after a failure; with a new import it would wait again, and so without end. */
const RETRY_MS = 5000;

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
      () =>
        setTimeout(() => {
          fetched = undefined;
        }, RETRY_MS),
    );
    return code;
  };
}
