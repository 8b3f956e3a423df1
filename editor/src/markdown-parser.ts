import { Emoji, GFM, parser, Subscript, Superscript } from '@lezer/markdown';

/** The grammar of the editor, without the editor, for workers. */
export const markdownParser = parser.configure([GFM, Subscript, Superscript, Emoji]);

export type MarkdownTree = ReturnType<typeof markdownParser.parse>;
