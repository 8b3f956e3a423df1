import { setImmediate } from 'node:timers/promises';

/**
 * Look-ups that arrive together, or while one is under way, share the next query. Nothing is remembered, so an answer is never
 * older than the question; a busy server just asks less often for more at once.
 */
export function createBatch<V>(
  load: (keys: string[]) => Promise<Map<string, V>>,
): (key: string) => Promise<V | null> {
  let waiting: { key: string; resolve: (value: V | null) => void; reject: (error: unknown) => void }[] = [];
  let busy = false;

  async function work(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      // Whatever else this turn of the event loop brings comes along.
      await setImmediate();
      const batch = waiting;
      waiting = [];
      try {
        const found = await load([...new Set(batch.map((each) => each.key))]);
        for (const each of batch) each.resolve(found.get(each.key) ?? null);
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    busy = false;
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!busy) void work();
    });
}
