import type rehypeSanitize from 'rehype-sanitize';

/** Types and helpers of the HTML syntax tree (hast). */
export type Root = Parameters<ReturnType<typeof rehypeSanitize>>[0];
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;
export type Child = Element['children'][number];
export type Properties = Element['properties'];

export const createText = (value: string): Child => ({ type: 'text', value });

export const createElement = (tagName: string, properties: Properties, children: Child[] = []): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});

export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

export const hasClass = (node: Element, name: string): boolean => classesOf(node).includes(name);

export const isElement = (node: Node | undefined, ...tagNames: string[]): node is Element =>
  node?.type === 'element' && (tagNames.length === 0 || tagNames.includes(node.tagName));

/** Returns all descendant elements in document order. */
export function elementsOf(parent: Root | Element, found: Element[] = []): Element[] {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    found.push(child);
    elementsOf(child, found);
  }
  return found;
}

export const textOf = (node: Node): string =>
  node.type === 'text' ? node.value : 'children' in node ? node.children.map(textOf).join('') : '';

export const isBlank = (node: Node): boolean => node.type === 'text' && node.value.trim() === '';

/** Replaces an element by the nodes that `visit` returns; if it returns undefined, visits the element's children. */
export function replaceElements(
  parent: Root | Element,
  visit: (node: Element, parent: Root | Element) => Child[] | undefined,
): void {
  // Cast: the children of these roots are always valid children of an element.
  parent.children = (parent.children as Child[]).flatMap((child) => {
    if (child.type !== 'element') return [child];
    const replaced = visit(child, parent);
    if (replaced === undefined) replaceElements(child, visit);
    return replaced ?? [child];
  });
}
