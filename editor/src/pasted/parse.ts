import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

/** The HTML syntax tree (hast). */
export type Root = ReturnType<typeof parser.parse>;

export const parseHtml = (html: string): Root => parser.parse(html);
