import { isForeign } from './pictures.ts';
import {
  type Child,
  type Element,
  element,
  elementsOf,
  isBlank,
  isElement,
  type Root,
  replaceElements,
  text,
} from './tree.ts';

/**
 * Characters that no essay needs: those that make text read in another order than it is written in, and those that HTML
 * or XML does not allow.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/g;

const withoutControls = <Value>(value: Value): Value | string =>
  typeof value === 'string' ? value.replace(CONTROLS, '') : value;

export function dropControls(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type === 'text') child.value = withoutControls(child.value);
    if (!isElement(child)) continue;
    const { properties } = child;
    for (const [name, value] of Object.entries(properties))
      properties[name] = Array.isArray(value) ? value.map(withoutControls) : withoutControls(value);
    dropControls(child);
  }
}

/** A link inside a link, such as a footnote's, would end the outer one where a browser reads the page. */
export function unnestLinks(parent: Root | Element, isInLink = false): void {
  replaceElements(parent, (node) => {
    if (node.tagName !== 'a') return undefined;
    unnestLinks(node, true);
    return isInLink ? node.children : [node];
  });
}

export function markForeignLinks(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree))
    if (tagName === 'a' && isForeign(properties.href)) properties.rel = ['nofollow', 'ugc', 'noopener'];
}

/** For those who hear the page. */
export function nameCheckboxes(tree: Root): void {
  for (const { tagName, properties } of elementsOf(tree))
    if (tagName === 'input') properties.ariaLabel = properties.checked ? '已完成' : '未完成';
}

/** A wide table scrolls in its own box, by keyboard too: a group, since landmarks of one name are no marks. */
export function wrapTables(tree: Root): void {
  replaceElements(tree, (node) =>
    node.tagName === 'table'
      ? [element('div', { className: ['table'], tabIndex: 0, role: 'group', ariaLabel: '表格' }, [node])]
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

/** `> [!NOTE]`, with a title of its own after it or ours. */
function toCallout(quote: Element): Child[] | undefined {
  const paragraph = quote.children.find((child) => !isBlank(child));
  if (quote.tagName !== 'blockquote' || !isElement(paragraph, 'p')) return undefined;
  const [first, ...rest] = paragraph.children;
  if (first?.type !== 'text') return undefined;
  const [head, word, title] = CALLOUT.exec(first.value) ?? [];
  // A first line with more than words in it is a sentence, not a title.
  if (head === undefined || word === undefined || (!head.endsWith('\n') && rest.length > 0)) return undefined;
  const kind = word.toLowerCase();
  const remaining = first.value.slice(head.length);
  paragraph.children = [...(remaining === '' ? [] : [text(remaining)]), ...rest];
  const name = element('p', { className: ['callout-title'] }, [
    text(title?.trim() || (CALLOUTS[kind] ?? '')),
  ]);
  const content = quote.children.filter((child) => child !== paragraph || paragraph.children.length > 0);
  return [element('div', { className: ['callout', kind], role: 'note' }, [name, ...content])];
}

export function layOutCallouts(tree: Root): void {
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
          i % 2 === 1 ? element('span', { className: ['latin'] }, [text(part)]) : text(part),
        )
        .filter((part) => !(part.type === 'text' && part.value === ''));
    }
    if (isElement(child) && !['code', 'kbd', 'em', 'math'].includes(child.tagName)) splitLatin(child);
    return [child];
  });
}

/** Stress is shown by dots under Chinese characters, and by slanting Latin letters. */
export function markLatin(tree: Root): void {
  for (const node of elementsOf(tree)) if (node.tagName === 'em') splitLatin(node);
}
