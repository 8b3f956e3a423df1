import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { trimEnd } from '@mozhan/contract/scan.ts';

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
/** They leave nothing where they stand. */
const UNSEEN = /^(?:LinkReference|CommentBlock)$/;
const FOOTNOTE = /^\[\^[^\]]+\]:/;
const PARSE_MS = 10;

const treeOf = (state: EditorState) =>
  ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);

/** Without the marks before it, nor those that may stand behind it. */
function titleOf(line: string): string {
  const text = line.replace(/^#+\s*/, '').trimEnd();
  const open = trimEnd(text, '#');
  return open.trimEnd() === open ? text : open.trimEnd();
}

export function headingsOf(state: EditorState): Heading[] {
  const found: Heading[] = [];
  for (let node = treeOf(state).topNode.firstChild; node !== null; node = node.nextSibling) {
    const level = Number(HEADING.exec(node.name)?.[1] ?? 0);
    if (level === 0) continue;
    const [line = ''] = state.sliceDoc(node.from, node.to).split('\n');
    const text = titleOf(line).replace(/[*_`~]/g, '');
    found.push({ from: node.from, level, text });
  }
  return found;
}

const known = new WeakMap<object, Block[]>();

/** What stands on its own in the text, and so in the preview. */
export function blocksOf(state: EditorState): Block[] {
  const tree = treeOf(state);
  const before = known.get(tree);
  if (before !== undefined) return before;
  const found: Block[] = [];
  known.set(tree, found);
  for (let node = tree.topNode.firstChild; node !== null; node = node.nextSibling) {
    const { name, from, to } = node;
    if (UNSEEN.test(name) || FOOTNOTE.test(state.sliceDoc(from, Math.min(to, from + 40)))) continue;
    found.push({ from, to, isHeading: HEADING.test(name) });
  }
  return found;
}
