import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';

export interface FoundLink {
  url: string;
  from: number;
}

export interface TextParts {
  /** Web addresses of links and pictures, each once, at its first place. */
  links: FoundLink[];
  /** Places of pictures that have no alternative text. */
  picturesWithoutText: number[];
}

const WEB_ADDRESS = /^https?:\/\//i;
const IMG_TAG = /^<img\b/i;
const ALT_ATTRIBUTE = /\salt\s*=\s*(?:"\s*[^"\s]|'\s*[^'\s]|[^"'\s>])/i;

/** A longer text is searched as far as it is parsed. */
const PARSE_MS = 15;

export function findTextParts(state: EditorState): TextParts {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);
  const read = (from: number, to: number) => state.sliceDoc(from, to);
  const links = new Map<string, FoundLink>();
  const picturesWithoutText: number[] = [];
  tree.iterate({
    enter({ name, from, to, node }) {
      if (name === 'URL') {
        const url = read(from, to).replace(/^<|>$/g, '');
        if (WEB_ADDRESS.test(url) && !links.has(url)) links.set(url, { url, from });
      } else if (name === 'Image') {
        const [open, close] = node.getChildren('LinkMark');
        if (open && close && read(open.to, close.from).trim() === '') picturesWithoutText.push(from);
      } else if (name === 'HTMLTag' || name === 'HTMLBlock') {
        const html = read(from, to);
        if (IMG_TAG.test(html) && !ALT_ATTRIBUTE.test(html)) picturesWithoutText.push(from);
      }
    },
  });
  return { links: [...links.values()], picturesWithoutText };
}
