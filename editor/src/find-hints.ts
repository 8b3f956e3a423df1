import { findHtmlLookalikes } from './html-lookalikes.ts';
import type { MarkdownTree } from './markdown-parser.ts';
import { findProtectedRanges, maskRanges } from './prose-ranges.ts';
import { findTypographyHints, type TextHint } from './typography.ts';

/** All suggestions for a text, in order. */
export function findHints(tree: MarkdownTree, text: string): TextHint[] {
  const { protectedRanges, html } = findProtectedRanges(tree, text);
  const lookalikes = findHtmlLookalikes(text, html);
  // Accepting all of them must not change the same place twice.
  let next = 0;
  const typography = findTypographyHints(maskRanges(text, protectedRanges)).filter(({ from, to }) => {
    while ((lookalikes[next]?.to ?? text.length + 1) <= from) next += 1;
    return to <= (lookalikes[next]?.from ?? text.length);
  });
  return [...lookalikes, ...typography].sort((a, b) => a.from - b.from || a.to - b.to);
}
