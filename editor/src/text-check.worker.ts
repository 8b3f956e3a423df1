import { diffLines, type LineChange } from './diff-lines.ts';
import { findHints } from './find-hints.ts';
import { markdownParser } from './markdown-parser.ts';
import type { TextHint } from './typography.ts';

export interface TextCheckRequest {
  /** Returned with the result, so that outdated results are recognized. */
  id: number;
  text: string;
  /** The text to compare with; null for none. Kept from the last request when missing. */
  base?: string | null;
}

export interface TextCheckResult {
  id: number;
  changes: LineChange[];
  hints: TextHint[];
}

/** More marks than anybody reads; the next ones follow when these are gone. */
const MAX_HINTS = 1000;

let baseLines: string[] | null = null;

self.onmessage = ({ data: { id, text, base } }: MessageEvent<TextCheckRequest>) => {
  if (base !== undefined) baseLines = base === null ? null : base.split('\n');
  const changes = baseLines === null ? [] : diffLines(baseLines, text.split('\n'));
  const hints = findHints(markdownParser.parse(text), text).slice(0, MAX_HINTS);
  self.postMessage({ id, changes, hints } satisfies TextCheckResult);
};
