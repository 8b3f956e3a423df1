import { setImmediate } from 'node:timers/promises';

/**
 * Equal inputs that arrive together, or while a load of the same input is running, share the next load. Nothing is cached,
 * so a result is never older than its request. Callers must not modify the shared result.
 */
export function createCoalescedLoader<Input, Result>(
  load: (input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<Result>>();

  async function loadNext(key: string, input: Input): Promise<Result> {
    await running.get(key);
    // Requests of the same turn of the event loop share this load.
    await setImmediate();
    next.delete(key);
    const result = load(input);
    const end = result.then(
      () => {},
      () => {},
    );
    running.set(key, end);
    await end;
    running.delete(key);
    return result;
  }

  return (input) => {
    const key = JSON.stringify(input);
    let result = next.get(key);
    if (result === undefined) {
      result = loadNext(key, input);
      next.set(key, result);
    }
    return result;
  };
}

/** Items that arrive together, or while a batch is being processed, are processed together and share its result. */
export function createBatcher<Item, Result>(
  process: (items: Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let waiting: Item[] = [];
  const processNext = createCoalescedLoader(() => {
    const items = waiting;
    waiting = [];
    return process(items);
  });
  return (item) => {
    waiting.push(item);
    return processNext(null);
  };
}

/** Collects look-ups by different keys into one query in the same way. */
export function createBatchLoader<V>(
  load: (keys: string[]) => Promise<Map<string, V>>,
): (key: string) => Promise<V | null> {
  const loadBatch = createBatcher((keys: string[]) => load([...new Set(keys)]));
  return async (key) => (await loadBatch(key)).get(key) ?? null;
}
