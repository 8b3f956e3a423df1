import type { Caller } from '../../../threads/fair-queue.ts';
import type { Range } from './fold.ts';
import { findCode } from './thread.ts';

const MAY_HAVE_CODE = /[`\t]|~~~| {4}/;
/** Names of stored files are no words. */
const FILE = /\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.[a-z0-9]{2,5}/g;

/**
 * What of a Markdown text is not to be screened, in order: code, and paths of uploads. Some texts take long to parse,
 * so it is done in a thread.
 */
export async function listUnscreened(caller: Caller, markdown: string): Promise<Range[]> {
  const files = [...markdown.matchAll(FILE)].map(({ 0: path, index }): Range => [index, index + path.length]);
  const code = MAY_HAVE_CODE.test(markdown) ? await findCode(caller, markdown) : [];
  return [...code, ...files].sort((a, b) => a[0] - b[0]);
}
