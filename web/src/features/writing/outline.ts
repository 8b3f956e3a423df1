import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { trimEnd } from '@mozhan/contract/text-scan.ts';

export interface Heading {
  from: number;
  level: number;
  text: string;
}

export interface Block {
  from: number;
  to: number;
  isHeading: boolean;
}

const HEADING = /^(?:ATX|Setext)Heading(\d)$/;
/** These nodes are not displayed where they stand. */
const INVISIBLE = /^(?:LinkReference|CommentBlock)$/;
const FOOTNOTE = /^\[\^[^\]]+\]:/;
const PARSE_MS = 10;

const fullSyntaxTree = (state: EditorState) =>
  ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);

/** Removes the marks before and after the text of a heading. */
function withoutHeadingMarks(line: string): string {
  const text = line.replace(/^#+\s*/, '').trimEnd();
  const open = trimEnd(text, '#');
  return open.trimEnd() === open ? text : open.trimEnd();
}

export function headingsOf(state: EditorState): Heading[] {
  const found: Heading[] = [];
  for (let node = fullSyntaxTree(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const level = Number(HEADING.exec(node.name)?.[1] ?? 0);
    if (level === 0) continue;
    const [line = ''] = state.sliceDoc(node.from, node.to).split('\n');
    const text = withoutHeadingMarks(line).replace(/[*_`~]/g, '');
    found.push({ from: node.from, level, text });
  }
  return found;
}

const blockCache = new WeakMap<object, Block[]>();

/** The top-level blocks, which are also those of the preview. */
export function blocksOf(state: EditorState): Block[] {
  const tree = fullSyntaxTree(state);
  const before = blockCache.get(tree);
  if (before !== undefined) return before;
  const found: Block[] = [];
  blockCache.set(tree, found);
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    const { name, from, to } = node;
    if (INVISIBLE.test(name) || FOOTNOTE.test(state.sliceDoc(from, Math.min(to, from + 40)))) continue;
    found.push({ from, to, isHeading: HEADING.test(name) });
  }
  return found;
}
