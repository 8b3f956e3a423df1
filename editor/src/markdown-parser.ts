import { Emoji, GFM, parser, Subscript, Superscript } from '@lezer/markdown';
import { boundedMarkdown } from './bounded-markdown.ts';

/** The grammar of the editor, without the editor, for workers. */
export const markdownParser = parser.configure([GFM, Subscript, Superscript, Emoji, boundedMarkdown]);

export type MarkdownTree = ReturnType<typeof markdownParser.parse>;
