import rehypeRaw from 'rehype-raw';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import {
  type Child,
  createElement,
  createText,
  type Element,
  elementsOf,
  hasClass,
  isBlank,
  isElement,
  type Root,
  replaceElements,
  textOf,
} from './tree.ts';

/** Normalises HTML to compare the output with the examples of the CommonMark specification. */

const html = unified().use(rehypeRaw).use(rehypeStringify).freeze();

/** Parses like a browser. */
export const parseHtml = (source: string): Root =>
  html.runSync({ type: 'root', children: [{ type: 'raw', value: source } as never] }) as Root;

export const writeHtml = (tree: Root): string => html.stringify(tree as never);

const BLOCKS = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'section'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]);
const ATTRIBUTES = new Set(['href', 'src', 'alt', 'title', 'start', 'align', 'type', 'checked', 'disabled']);

function trim(parent: Root | Element): void {
  if (isElement(parent as Element, 'pre')) return;
  const children = parent.children as Child[];
  parent.children = children.filter((child, i) => {
    if (!isBlank(child)) return true;
    const [before, after] = [children[i - 1], children[i + 1]];
    const isEdge = (node: Child | undefined) =>
      node === undefined || (isElement(node) && BLOCKS.has(node.tagName));
    return !(isEdge(before) || isEdge(after));
  });
  for (const child of parent.children as Child[]) {
    if (child.type === 'text') child.value = child.value.replace(/\s+/g, ' ');
    if (isElement(child)) trim(child);
  }
}

/** Serialises the structure without unrelated attributes and white space. */
function serialize(tree: Root): string {
  for (const node of elementsOf(tree)) {
    const { className } = node.properties;
    if (node.tagName === 'img') node.properties.alt ??= '';
    const attributes = Object.entries(node.properties).filter(([name]) => ATTRIBUTES.has(name));
    node.properties = Object.fromEntries(attributes.sort(([a], [b]) => a.localeCompare(b)));
    if (node.tagName === 'code' && Array.isArray(className)) node.properties.className = className;
  }
  trim(tree);
  return writeHtml(tree).trim();
}

/** Demotes headings as the pipeline does. */
export function normaliseExpectedHtml(source: string): string {
  const tree = parseHtml(source);
  const headings = elementsOf(tree).filter(({ tagName }) => /^h[1-6]$/.test(tagName));
  if (headings.some(({ tagName }) => tagName === 'h1')) {
    for (const heading of headings) heading.tagName = `h${Math.min(6, Number(heading.tagName.slice(1)) + 1)}`;
  }
  return serialize(tree);
}

function removeOwnMarkup(node: Element): Child[] | undefined {
  if (hasClass(node, 'anchor')) return [];
  if (hasClass(node, 'latin') || hasClass(node, 'table')) {
    replaceElements(node, removeOwnMarkup);
    return node.children;
  }
  if (node.tagName === 'figure' && hasClass(node, 'code')) {
    const pre = node.children.find((child) => isElement(child, 'pre'));
    const source = pre ? textOf(pre) : '';
    const language = node.properties.dataLang;
    const properties = language === 'text' ? {} : { className: [`language-${language}`] };
    return [
      createElement('pre', {}, [
        createElement('code', properties, source === '' ? [] : [createText(`${source}\n`)]),
      ]),
    ];
  }
  if (node.tagName === 'figure' && hasClass(node, 'picture')) {
    const [shown, caption] = node.children;
    const [image] = elementsOf(node).filter(({ tagName }) => tagName === 'img');
    if (image && caption) image.properties.title = textOf(caption);
    return shown ? [createElement('p', {}, [shown])] : [];
  }
  return undefined;
}

export function normaliseRenderedHtml(source: string): string {
  const tree = parseHtml(source);
  replaceElements(tree, removeOwnMarkup);
  return serialize(tree);
}
