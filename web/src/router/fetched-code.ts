/** A promise that `use` reads without waiting, once it is settled. */
interface Read<T> extends Promise<T> {
  status?: 'fulfilled';
  value?: T;
}

/**
 * Code that only one of a page's views needs: fetched by its `load`, on the server too, so that the view is there with
 * the page; a page that the server rendered waits for it as it is.
 */
export function fetchedCode<T>(fetch: () => Promise<T>): () => Promise<T> {
  let fetched: Read<T> | undefined;
  return () => {
    if (fetched !== undefined) return fetched;
    const code: Read<T> = fetch();
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
