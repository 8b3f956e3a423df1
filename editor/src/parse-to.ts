import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

const MAX_PARSE_MS = 100;

/** The tree, parsed up to this position, which it usually is already; after each change CodeMirror parses for 20 ms. */
export const parseTo = (state: EditorState, to: number) =>
  ensureSyntaxTree(state, to, MAX_PARSE_MS) ?? syntaxTree(state);
