import rehypeSlug from 'rehype-slug';
import { unified } from 'unified';
import { createElement, type Element, elementsOf, isElement, type Node, type Root, textOf } from './tree.ts';

export interface TocEntry {
  id: string;
  text: string;
  level: number;
}

/** Prevents ids from shadowing properties of `document` or `window` (DOM clobbering). */
const PREFIX = 'h-';
const HEADING = /^h[1-6]$/;
const slugs = unified().use(rehypeSlug, { prefix: PREFIX }).freeze();

const isHeading = (node: Node): node is Element => isElement(node) && HEADING.test(node.tagName);
/** Excludes the heading of the footnotes, which has another id. */
const isEssayHeading = (node: Element) =>
  isHeading(node) && String(node.properties.id ?? PREFIX).startsWith(PREFIX);

export const hasTopHeading = (tree: Root): boolean => elementsOf(tree).some((node) => node.tagName === 'h1');

/** Lowers all headings by one level, because the page has its own `h1`. */
export function demoteHeadings(tree: Root): void {
  for (const node of elementsOf(tree))
    if (isEssayHeading(node)) node.tagName = `h${Math.min(6, Number(node.tagName.slice(1)) + 1)}`;
}

const isFootnoteReference = (node: Node) =>
  isElement(node, 'sup') &&
  node.children.some((child) => isElement(child) && 'dataFootnoteRef' in child.properties);

const headingText = (heading: Element): string =>
  heading.children
    .filter((child) => !isFootnoteReference(child))
    .map(textOf)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

const MAX_ENTRIES = 1000;

/** Assigns ids to all headings and returns those of levels 2 and 3. */
export function buildToc(tree: Root): TocEntry[] {
  slugs.runSync(tree);
  return elementsOf(tree)
    .filter((node) => isEssayHeading(node) && /^h[23]$/.test(node.tagName))
    .map((node) => ({
      id: String(node.properties.id),
      text: headingText(node),
      level: Number(node.tagName.slice(1)),
    }))
    .filter((entry) => entry.text !== '')
    .slice(0, MAX_ENTRIES);
}

export function addHeadingAnchors(parent: Root | Element): void {
  for (const child of parent.children) {
    if (!isElement(child) || child.tagName === 'a') continue;
    if (!isEssayHeading(child)) addHeadingAnchors(child);
    else if (child.properties.id !== undefined)
      child.children.push(
        // Hidden from screen readers, which use the links of the table of contents.
        createElement('a', {
          className: ['anchor'],
          href: `#${child.properties.id}`,
          ariaHidden: 'true',
          tabIndex: -1,
        }),
      );
  }
}
