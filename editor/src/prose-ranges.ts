import type { MarkdownTree } from './markdown-parser.ts';

export interface TextRange {
  from: number;
  to: number;
}

/** Nodes whose text is not prose: code, addresses, HTML, references. */
const PROTECTED = new Set([
  'FencedCode',
  'CodeBlock',
  'InlineCode',
  'HTMLBlock',
  'HTMLTag',
  'CommentBlock',
  'Comment',
  'ProcessingInstruction',
  'ProcessingInstructionBlock',
  'Autolink',
  'URL',
  'LinkTitle',
  'LinkLabel',
  'LinkReference',
  'Escape',
  'Entity',
  'TableDelimiter',
  'HorizontalRule',
]);

/** Nodes that are marks of Markdown only, with no text of their own. */
const HTML = new Set(['HTMLBlock', 'HTMLTag']);

/** `$$…$$` over several lines, or `$…$` on one line as the renderer accepts it. */
const MATH = /\$\$[^$]*\$\$|\$(?![\s$])[^$\n]*[^\s$]\$(?!\d)/g;
const BARE_ADDRESS = /\b(?:https?:\/\/|www\.)[^\s\p{Script=Han}，。；：！？、（）「」《》“”]+/gu;
const FOOTNOTE_MARK = /\[\^[^[\]\n]*\]:?/g;

export interface ProseRanges {
  /** Sorted; may overlap. */
  protectedRanges: TextRange[];
  html: TextRange[];
}

/** Finds what rules for prose must not touch. */
export function findProtectedRanges(tree: MarkdownTree, text: string): ProseRanges {
  const protectedRanges: TextRange[] = [];
  const html: TextRange[] = [];
  tree.iterate({
    enter({ name, from, to }) {
      if (HTML.has(name)) html.push({ from, to });
      if (!PROTECTED.has(name)) return true;
      protectedRanges.push({ from, to });
      return false;
    },
  });
  for (const pattern of [MATH, BARE_ADDRESS, FOOTNOTE_MARK])
    for (const match of text.matchAll(pattern))
      protectedRanges.push({ from: match.index, to: match.index + match[0].length });
  return { protectedRanges: protectedRanges.sort((a, b) => a.from - b.from), html };
}

/** Stands for protected text: no rule matches it, and positions stay the same. */
const PLACEHOLDER = '\uFFFC';

export function maskRanges(text: string, ranges: readonly TextRange[]): string {
  let masked = '';
  let done = 0;
  for (const { from, to } of ranges) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    masked += text.slice(done, start) + text.slice(start, to).replace(/[^\n]/g, PLACEHOLDER);
    done = to;
  }
  return masked + text.slice(done);
}
