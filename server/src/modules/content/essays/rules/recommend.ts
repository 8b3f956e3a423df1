interface Authored {
  authorId: string;
}

/** The last essays of a list that are of one author. */
export interface Run {
  authorId: string;
  length: number;
}

export const NO_RUN: Run = { authorId: '', length: 0 };
const MAX_RUN = 2;

export const runAfter = (run: Run, { authorId }: Authored): Run =>
  run.authorId === authorId ? { authorId, length: run.length + 1 } : { authorId, length: 1 };

/**
 * Keeps the order, except that after two essays of an author the next essay of somebody else comes first, as long as
 * there is one. `before` describes the end of the list so far.
 */
export function spreadAuthors<Row extends Authored>(rows: readonly Row[], before: Run = NO_RUN): Row[] {
  const waiting = [...rows];
  const spread: Row[] = [];
  for (let run = before; waiting.length > 0; ) {
    const { authorId, length } = run;
    const index = length < MAX_RUN ? 0 : waiting.findIndex((row) => row.authorId !== authorId);
    const [next] = waiting.splice(Math.max(0, index), 1);
    if (next === undefined) break;
    run = runAfter(run, next);
    spread.push(next);
  }
  return spread;
}
