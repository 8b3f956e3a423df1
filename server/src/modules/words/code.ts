import { CallError } from '#contract/errors.ts';
import type { Caller } from '../../fair-queue.ts';
import { createThreads } from '../../threads.ts';
import type { Range } from './fold.ts';

const MAY_HAVE_CODE = /[`\t]|~~~| {4}/;
/** Names of stored files are no words. */
const FILE = /\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}/g;

const findCode = createThreads<string, Range[]>({
  file: new URL('./code-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  timeoutMs: 10_000,
  maxWaiting: 60,
  maxWaitingPerCaller: 5,
  busyMessage: '提交的人太多，请稍后再试',
});

/**
 * What of a Markdown text is not to be screened, in order: code, and paths of uploads. Some texts take long to parse,
 * so it is done in a thread; one that is given up has no code.
 */
export async function listUnscreened(caller: Caller, markdown: string): Promise<Range[]> {
  const files = [...markdown.matchAll(FILE)].map(({ 0: path, index }): Range => [index, index + path.length]);
  const code = MAY_HAVE_CODE.test(markdown) ? await listCode(caller, markdown) : [];
  return [...code, ...files].sort((a, b) => a[0] - b[0]);
}

const listCode = (caller: Caller, markdown: string): Promise<Range[]> =>
  findCode(caller, markdown).catch((error: unknown) => {
    if (error instanceof CallError) throw error;
    return [];
  });
