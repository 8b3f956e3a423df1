import type rehypeSanitize from 'rehype-sanitize';

/** A page's text as elements, and their helpers. */
export type Root = Parameters<ReturnType<typeof rehypeSanitize>>[0];
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;
export type Child = Element['children'][number];
export type Properties = Element['properties'];

export const text = (value: string): Child => ({ type: 'text', value });

export const element = (tagName: string, properties: Properties, children: Child[] = []): Element => ({
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

/** All of them, in their order. */
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

/** What `visit` answers takes the element's place; where it answers nothing, the element's own are looked at. */
export function replaceElements(
  parent: Root | Element,
  visit: (node: Element, parent: Root | Element) => Child[] | undefined,
): void {
  // Every child of a root that can hold text is one of an element too.
  parent.children = (parent.children as Child[]).flatMap((child) => {
    if (child.type !== 'element') return [child];
    const replaced = visit(child, parent);
    if (replaced === undefined) replaceElements(child, visit);
    return replaced ?? [child];
  });
}
