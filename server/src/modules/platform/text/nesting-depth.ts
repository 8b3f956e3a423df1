import { invalidField } from '@mozhan/contract/errors.ts';

const MAX_DEPTH = 100;

/** The start of a quote, list item or footnote at the beginning of a line or after another one. */
const CONTAINER = /[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]+\]:)/y;
/** A line of stars or dashes is a rule, however long. */
const RULE = /^(?:-+|\*+)$/;

function startsTooManyContainers(line: string): boolean {
  CONTAINER.lastIndex = 0;
  for (let depth = 0; CONTAINER.test(line); depth++)
    if (depth === MAX_DEPTH) return !RULE.test(line.replace(/[ \t]/g, ''));
  return false;
}

/**
 * Thousands of nested quotes, lists or tags exhaust the stack. The parser's memory grows with the square of the
 * containers that one line starts, and a thread that needs too much memory at once ends the process, so these are
 * refused before parsing.
 */
export async function rejectDeepNesting<Result>(
  markdown: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    if (markdown.split(/\r\n?|\n/).some(startsTooManyContainers)) throw new RangeError('too many containers');
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw invalidField('content', '内容的层次太深，无法排版');
    throw error;
  }
}
