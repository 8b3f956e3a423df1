import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Range } from './fold.ts';

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

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default function listCode(markdown: string): Range[] {
  return [...codeOf(parser.parse(markdown))];
}
