import { isExternalUrl } from './pictures.ts';
import {
  type Child,
  createElement,
  createText,
  type Element,
  elementsOf,
  isBlank,
  isElement,
  type Root,
  replaceElements,
} from './tree.ts';

/**
 * Bidirectional control characters, which let text look different from its source, and characters that HTML or XML
 * does not allow.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: intended
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g;

const stripControls = <Value>(value: Value): Value | string =>
  typeof value === 'string' ? value.replace(CONTROLS, '') : value;

export function removeControlCharacters(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type === 'text') child.value = stripControls(child.value);
    if (!isElement(child)) continue;
    const { properties } = child;
    for (const [name, value] of Object.entries(properties))
      properties[name] = Array.isArray(value) ? value.map(stripControls) : stripControls(value);
    removeControlCharacters(child);
  }
}

/** HTML parsers close the outer link at a nested one, such as a footnote reference. */
export function unnestLinks(parent: Root | Element, isInLink = false): void {
  replaceElements(parent, (node) => {
    if (node.tagName !== 'a') return undefined;
    unnestLinks(node, true);
    return isInLink ? node.children : [node];
  });
}

export function markExternalLinks(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree))
    if (tagName === 'a' && isExternalUrl(properties.href)) properties.rel = ['nofollow', 'ugc', 'noopener'];
}

/** For screen readers. */
export function labelCheckboxes(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree))
    if (tagName === 'input') properties.ariaLabel = properties.checked ? '已完成' : '未完成';
}

/** Wide tables scroll, also by keyboard. The role is `group`, because many landmarks of the same name would be useless. */
export function wrapTables(tree: Root): void {
  replaceElements(tree, (node) =>
    node.tagName === 'table'
      ? [
          createElement('div', { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: '表格' }, [
            node,
          ]),
        ]
      : undefined,
  );
}

const CALLOUTS: Record<string, string> = {
  note: '说明',
  tip: '提示',
  important: '重要',
  warning: '注意',
  caution: '警告',
};
const CALLOUT = /^\[!(note|tip|important|warning|caution)\]([^\n]*)(?:\n|$)/i;

/** Parses `> [!NOTE] title`; the title is optional. */
function toCallout(quote: Element): Child[] | undefined {
  const paragraph = quote.children.find((child) => !isBlank(child));
  if (quote.tagName !== 'blockquote' || !isElement(paragraph, 'p')) return undefined;
  const [first, ...rest] = paragraph.children;
  if (first?.type !== 'text') return undefined;
  const [head, word, title] = CALLOUT.exec(first.value) ?? [];
  // A first line that contains markup is content, not a title.
  if (head === undefined || word === undefined || (!head.endsWith('\n') && rest.length > 0)) return undefined;
  const kind = word.toLowerCase();
  const remaining = first.value.slice(head.length);
  paragraph.children = [...(remaining === '' ? [] : [createText(remaining)]), ...rest];
  const name = createElement('p', { className: ['callout-title'] }, [
    createText(title?.trim() || (CALLOUTS[kind] ?? '')),
  ]);
  const content = quote.children.filter((child) => child !== paragraph || paragraph.children.length > 0);
  return [createElement('div', { className: ['callout', kind], role: 'note' }, [name, ...content])];
}

export function renderCallouts(tree: Root): void {
  replaceElements(tree, (node) => {
    const callout = toCallout(node);
    const [box] = callout ?? [];
    if (isElement(box)) replaceElements(box, toCallout);
    return callout;
  });
}

const LETTER = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Nd}]';
const LATIN = new RegExp(`(${LETTER}(?:(?:[ -~]|\\p{M}|${LETTER})*${LETTER})?)`, 'u');

function splitLatin(parent: Element): void {
  parent.children = parent.children.flatMap((child) => {
    if (child.type === 'text') {
      return child.value
        .split(LATIN)
        .map((part, i) =>
          i % 2 === 1
            ? createElement('span', { className: ['latin'] }, [createText(part)])
            : createText(part),
        )
        .filter((part) => !(part.type === 'text' && part.value === ''));
    }
    if (isElement(child) && !['code', 'kbd', 'em', 'math'].includes(child.tagName)) splitLatin(child);
    return [child];
  });
}

/** The style sheet shows emphasis as dots under Chinese characters and as italics for Latin text. */
export function wrapLatinText(tree: Root): void {
  for (const node of elementsOf(tree)) if (node.tagName === 'em') splitLatin(node);
}
