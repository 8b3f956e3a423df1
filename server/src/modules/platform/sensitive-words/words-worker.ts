import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { createMatcher, type Matcher, type ScreeningResult, screen, type WordEntry } from './matcher.ts';
import type { Range } from './normalize.ts';

interface Node {
  type: string;
  children?: Node[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
}

function* codeRangesOf({ type, children = [], position }: Node): Generator<Range> {
  if (type === 'code' || type === 'inlineCode')
    yield [position?.start.offset ?? 0, position?.end.offset ?? 0];
  for (const child of children) yield* codeRangesOf(child);
}

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkMath);

export interface ScreenTextJob {
  text: string;
  skipped: readonly Range[];
  maskedLevels: readonly WordLevel[];
  version: string;
  /** The word list, if the thread does not have it. */
  entries?: readonly WordEntry[];
}

let cached: { version: string; matcher: Matcher } | null = null;

/** Returns null if the word list is missing or outdated. */
function screenText({
  text,
  skipped,
  maskedLevels: covers,
  version,
  entries,
}: ScreenTextJob): ScreeningResult | null {
  if (entries !== undefined) cached = { version, matcher: createMatcher(entries) };
  return cached?.version === version ? screen(cached.matcher, text, skipped, covers) : null;
}

export type ScreeningJob = { code: string } | ScreenTextJob;

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default function handleJob(job: ScreeningJob): Range[] | ScreeningResult | null {
  return 'code' in job ? [...codeRangesOf(parser.parse(job.code))] : screenText(job);
}
