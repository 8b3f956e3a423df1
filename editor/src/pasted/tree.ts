import type { Root } from './parse.ts';

type RootContent = Root['children'][number];
export type Element = Extract<RootContent, { type: 'element' }>;
type ElementContent = Element['children'][number];

export type Parent = Root | Element;
export type Child = ElementContent | RootContent;

export const isElement = <Name extends string>(
  node: Child | undefined,
  ...names: Name[]
): node is Element & { tagName: Name } =>
  node?.type === 'element' && (names.length === 0 || (names as string[]).includes(node.tagName));

export const createElement = (
  tagName: string,
  properties: Element['properties'] = {},
  children: Child[] = [],
): Element => ({ type: 'element', tagName, properties, children: children as ElementContent[] });

export const createText = (value: string): Child => ({ type: 'text', value });

/** Written to the Markdown as it is. An element without text would swallow the space after it. */
export const createRaw = (value: string): Element => createElement('x-raw', { value }, [createText(value)]);
/** A block that is written to the Markdown as it is. */
export const createRawBlock = (value: string): Element => createElement('x-block', { value });

export const attributeOf = ({ properties }: Element, name: string): string => {
  const value = properties[name];
  return value === undefined || value === null || value === false ? '' : String(value);
};

/** The first of these attributes that is not empty. */
export const firstAttribute = (element: Element, names: readonly string[]): string =>
  names.map((name) => attributeOf(element, name)).find((value) => value !== '') ?? '';

export const classesOf = ({ properties: { className } }: Element): string[] =>
  Array.isArray(className) ? className.map(String) : [];

export const hasClass = (element: Element, ...names: string[]): boolean =>
  classesOf(element).some((each) => names.includes(each));

export const isStyled = (element: Element, pattern: RegExp): boolean =>
  pattern.test(attributeOf(element, 'style'));

/** All elements below the node, in document order. */
export function* elementsOf({ children }: Parent): Generator<Element> {
  for (const child of children) {
    if (child.type !== 'element') continue;
    yield child;
    yield* elementsOf(child);
  }
}

export const findElement = (parent: Parent, matches: (element: Element) => boolean): Element | undefined => {
  for (const element of elementsOf(parent)) if (matches(element)) return element;
  return undefined;
};

export function textOf(node: Root | Child): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
}

export const setChildren = (parent: Parent, children: Child[]): void => {
  parent.children = children as ElementContent[];
};

/** Replaces elements by what `replace` returns; without a result, the children of the element are visited. */
export function replaceElements(parent: Parent, replace: (element: Element) => Child[] | undefined): void {
  setChildren(
    parent,
    (parent.children as Child[]).flatMap((child) => {
      if (child.type !== 'element') return [child];
      const replaced = replace(child);
      if (replaced === undefined) replaceElements(child, replace);
      return replaced ?? [child];
    }),
  );
}

export const isBlank = (node: Child): boolean =>
  node.type === 'comment' || (node.type === 'text' && node.value.trim() === '');

const BLOCKS = new Set(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul x-block'.split(
    ' ',
  ),
);
export const isBlock = (node: Child): boolean => node.type === 'element' && BLOCKS.has(node.tagName);
