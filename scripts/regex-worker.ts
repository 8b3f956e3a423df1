/** Worker thread of `regexes.ts`. */
import { parentPort } from 'node:worker_threads';

// Runs recheck in this thread without Java; must be set before it is called.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

interface CheckRequest {
  source: string;
  flags: string;
  timeout: number;
}

/** Returns null for a safe expression, otherwise the reason. */
function checkRegex({ source, flags, timeout }: CheckRequest): string | null {
  // The other time limits are off, because they would make the result depend on the machine's load.
  const found = checkSync(source, flags, { timeout, attackTimeout: null, incubationTimeout: null });
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable')
    return `${found.complexity.summary}, for example ${found.attack.pattern}`;
  return found.error.kind === 'timeout' ? 'no result in time' : `cannot be checked: ${found.error.kind}`;
}

parentPort?.on('message', (request: CheckRequest) => parentPort?.postMessage(checkRegex(request)));
