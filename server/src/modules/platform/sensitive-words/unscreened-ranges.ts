import type { Caller } from '../../../threads/fair-queue.ts';
import type { Range } from './normalize.ts';
import { findCodeRanges } from './screening-thread.ts';

const MAY_HAVE_CODE = /[`\t]|~~~| {4}/;
const FILE = /\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}/g;

/**
 * Returns the sorted ranges of code and of upload paths, which are not screened. Parses in a worker thread, because
 * some texts take long.
 */
export async function listUnscreenedRanges(caller: Caller, markdown: string): Promise<Range[]> {
  const files = [...markdown.matchAll(FILE)].map(({ 0: path, index }): Range => [index, index + path.length]);
  const code = MAY_HAVE_CODE.test(markdown) ? await findCodeRanges(caller, markdown) : [];
  return [...code, ...files].sort((a, b) => a[0] - b[0]);
}
