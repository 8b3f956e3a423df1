import rehypeSlug from 'rehype-slug';
import { unified } from 'unified';
import { type Element, element, elementsOf, isElement, type Node, type Root, textOf } from './tree.ts';

export interface TocEntry {
  id: string;
  text: string;
  level: number;
}

/** No id may be the name of a property of `document` or `window`, which it would hide from scripts. */
const PREFIX = 'h-';
const HEADING = /^h[1-6]$/;
const slugs = unified().use(rehypeSlug, { prefix: PREFIX }).freeze();

const isHeading = (node: Node): node is Element => isElement(node) && HEADING.test(node.tagName);
/** The heading of the footnotes has an id of its own. */
const isWriters = (node: Element) =>
  isHeading(node) && String(node.properties.id ?? PREFIX).startsWith(PREFIX);

export const hasTopHeading = (tree: Root): boolean => elementsOf(tree).some((node) => node.tagName === 'h1');

/** The page has its own first heading: those of a text that uses it too go one level down. */
export function lowerHeadings(tree: Root): void {
  for (const node of elementsOf(tree))
    if (isWriters(node)) node.tagName = `h${Math.min(6, Number(node.tagName.slice(1)) + 1)}`;
}

const isReference = (node: Node) =>
  isElement(node, 'sup') &&
  node.children.some((child) => isElement(child) && 'dataFootnoteRef' in child.properties);

const words = (heading: Element): string =>
  heading.children
    .filter((child) => !isReference(child))
    .map(textOf)
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** More than anyone reads; every page of the text carries them all. */
const MAX_ENTRIES = 1000;

/** Ids for all headings; the first of the second and third level are the table of contents. */
export function listHeadings(tree: Root): TocEntry[] {
  slugs.runSync(tree);
  return elementsOf(tree)
    .filter((node) => isWriters(node) && /^h[23]$/.test(node.tagName))
    .map((node) => ({
      id: String(node.properties.id),
      text: words(node),
      level: Number(node.tagName.slice(1)),
    }))
    .filter((entry) => entry.text !== '')
    .slice(0, MAX_ENTRIES);
}

export function addAnchors(parent: Root | Element): void {
  for (const child of parent.children) {
    if (!isElement(child) || child.tagName === 'a') continue;
    if (!isWriters(child)) addAnchors(child);
    else if (child.properties.id !== undefined)
      child.children.push(
        // For the mouse alone, so that a heading is read aloud without it; the table of contents has links for everyone.
        element('a', {
          className: ['anchor'],
          href: `#${child.properties.id}`,
          ariaHidden: 'true',
          tabIndex: -1,
        }),
      );
  }
}
