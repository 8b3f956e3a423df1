import { setImmediate } from 'node:timers/promises';

/**
 * Equal questions that arrive together, or while one of them is under way, share the next answer. Nothing is remembered, so
 * an answer is never older than the question; a busy server just asks less often. Nobody may change what all of them get.
 */
export function createShared<Q, A>(load: (question: Q) => Promise<A>): (question: Q) => Promise<A> {
  const underWay = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<A>>();

  async function ask(key: string, question: Q): Promise<A> {
    await underWay.get(key);
    // Whatever else this turn of the event loop brings comes along.
    await setImmediate();
    next.delete(key);
    const answer = load(question);
    const end = answer.then(
      () => {},
      () => {},
    );
    underWay.set(key, end);
    await end;
    underWay.delete(key);
    return answer;
  }

  return (question) => {
    const key = JSON.stringify(question);
    let answer = next.get(key);
    if (answer === undefined) {
      answer = ask(key, question);
      next.set(key, answer);
    }
    return answer;
  };
}

/** Look-ups by different keys that share the next query in the same way. */
export function createBatch<V>(
  load: (keys: string[]) => Promise<Map<string, V>>,
): (key: string) => Promise<V | null> {
  let waiting = new Set<string>();
  const ask = createShared(() => {
    const keys = [...waiting];
    waiting = new Set();
    return load(keys);
  });
  return async (key) => {
    waiting.add(key);
    return (await ask(null)).get(key) ?? null;
  };
}
