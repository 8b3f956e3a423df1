import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Range } from './fold.ts';
import { createMatcher, type Entry, type Matcher, type Screened, screen } from './matcher.ts';

interface Node {
  type: string;
  children?: Node[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
}

function* codeOf({ type, children = [], position }: Node): Generator<Range> {
  if (type === 'code' || type === 'inlineCode')
    yield [position?.start.offset ?? 0, position?.end.offset ?? 0];
  for (const child of children) yield* codeOf(child);
}

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkMath);

export interface ScreenJob {
  text: string;
  skipped: readonly Range[];
  covers: readonly WordLevel[];
  /** Of the list of words. */
  version: string;
  /** The list, for a thread that does not have it. */
  entries?: readonly Entry[];
}

let kept: { version: string; matcher: Matcher } | null = null;

/** Null: the list of words is needed. */
function screenLong({ text, skipped, covers, version, entries }: ScreenJob): Screened | null {
  if (entries !== undefined) kept = { version, matcher: createMatcher(entries) };
  return kept?.version === version ? screen(kept.matcher, text, skipped, covers) : null;
}

export type WordsJob = { code: string } | ScreenJob;

/** Where code stands in a Markdown text, or what a text has of the words. */
// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default function work(job: WordsJob): Range[] | Screened | null {
  return 'code' in job ? [...codeOf(parser.parse(job.code))] : screenLong(job);
}
