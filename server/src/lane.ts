import { CallError } from '#contract/errors.ts';

/** One after the other, and only so many waiting: for work that would take the whole machine if all did it at once. */
export function createLane(mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  let open = 0;
  return (work) => {
    if (open > mostWaiting)
      throw new CallError('UNAVAILABLE', { message: '要做的事太多，请稍后再试', retryAfter: 5 });
    open += 1;
    const result = turn.then(work).finally(() => {
      open -= 1;
    });
    turn = result.catch(() => {});
    return result;
  };
}
