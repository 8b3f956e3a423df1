/** Checks one expression at a time for `regexes.ts`. */
import { parentPort } from 'node:worker_threads';

// In this thread and without Java; recheck reads it when it is called.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

interface Question {
  source: string;
  flags: string;
  timeout: number;
}

/** Null: safe. Otherwise what is wrong with it. */
function problemOf({ source, flags, timeout }: Question): string | null {
  // Its other limits of time would make the answer depend on how busy the machine is.
  const found = checkSync(source, flags, { timeout, attackTimeout: null, incubationTimeout: null });
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable')
    return `${found.complexity.summary}, for example ${found.attack.pattern}`;
  return found.error.kind === 'timeout' ? 'no verdict in time' : `cannot be checked: ${found.error.kind}`;
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(problemOf(question)));
