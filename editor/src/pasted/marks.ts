import {
  attributeOf,
  type Child,
  createElement,
  createRaw,
  createText,
  type Element,
  elementsOf,
  hasClass,
  isBlank,
  isElement,
  isStyled,
  type Parent,
  replaceElements,
  setChildren,
  textOf,
} from './tree.ts';

const REMOVED = new Set(
  'style script meta link title noscript svg button template object iframe colgroup col select textarea video audio canvas'.split(
    ' ',
  ),
);

/** What an office program or a page adds around the text. */
const isJunk = (element: Element): boolean =>
  REMOVED.has(element.tagName) ||
  (element.tagName === 'input' && attributeOf(element, 'type') !== 'checkbox') ||
  hasClass(
    element,
    'lark-record-clipboard',
    'block-paste-placeholder',
    'anchor',
    'header-anchor',
    'ne-viewer-b-filler',
  );

export function removeJunk(root: Parent): void {
  removeComments(root);
  replaceElements(root, (element) => {
    if (isJunk(element)) return [];
    // Elements such as `<o:p>` of Office.
    return element.tagName.includes(':') ? unwrapped(element, removeJunk) : undefined;
  });
}

function removeComments(parent: Parent): void {
  setChildren(
    parent,
    (parent.children as Child[]).filter((child) => child.type !== 'comment'),
  );
  for (const child of parent.children) if (child.type === 'element') removeComments(child);
}

function unwrapped(element: Element, clean: (parent: Parent) => void): Child[] {
  clean(element);
  return element.children;
}

/** Text that is bold, italic or struck only by style. */
function marksOf(span: Element): string[] {
  return [
    ...(isStyled(span, /font-weight:\s*(?:bold|[6-9]00)/i) ? ['strong'] : []),
    ...(isStyled(span, /font-style:\s*italic/i) ? ['em'] : []),
    ...(isStyled(span, /text-decoration(?:-line)?:\s{0,3}(?:\w{1,20}\s{1,3})?line-through/i) ? ['del'] : []),
  ];
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

export function convertMarks(parent: Parent, isInHeading = false): void {
  setChildren(
    parent,
    (parent.children as Child[]).flatMap((child): Child[] => {
      if (child.type !== 'element' || isElement(child, 'pre', 'code')) return [child];
      if (child.tagName === 'p' && hasClass(child, 'MsoTitle')) child.tagName = 'h1';
      const isHeading = isInHeading || HEADINGS.includes(child.tagName);
      convertMarks(child, isHeading);
      // Google Docs wraps everything in a `<b>` that is not bold.
      if (isElement(child, 'b', 'strong') && (isHeading || isStyled(child, /font-weight:\s*(?:normal|400)/i)))
        return child.children;
      if (child.tagName !== 'span') return [child];
      const marks = isHeading ? [] : marksOf(child);
      return marks.reduce<Child[]>((inside, tag) => [createElement(tag, {}, inside)], child.children);
    }),
  );
}

const MARKS: Record<string, string> = {
  b: 'strong',
  strong: 'strong',
  i: 'em',
  em: 'em',
  s: 'del',
  strike: 'del',
  del: 'del',
};
const LETTER = /[\p{L}\p{N}]/u;
const SENTENCE_MARK = /[，。：；！？、…—（）《》「」『』【】\u201c\u201d\u2018\u2019,.:;!?()]/u;

const edgeOf = (node: Child | undefined, from: 'start' | 'end'): string => {
  const letters = node === undefined || node.type === 'comment' ? '' : textOf(node as Element);
  return (from === 'start' ? [...letters.slice(0, 2)][0] : [...letters.slice(-2)].at(-1)) ?? '';
};

/**
 * In Markdown `**注意：**后面` is not bold, because a mark after punctuation does not end before a letter: the
 * punctuation is moved out. Spaces inside a mark are moved out too.
 */
function trimEdge(mark: Element, outside: string, side: 'start' | 'end'): string {
  const text = side === 'start' ? mark.children[0] : mark.children.at(-1);
  if (text?.type !== 'text') return '';
  let moved = '';
  for (;;) {
    const letter =
      (side === 'start' ? [...text.value.slice(0, 2)][0] : [...text.value.slice(-2)].at(-1)) ?? '';
    if (letter === '' || (letter.trim() !== '' && !(LETTER.test(outside) && SENTENCE_MARK.test(letter))))
      break;
    text.value = side === 'start' ? text.value.slice(letter.length) : text.value.slice(0, -letter.length);
    moved = side === 'start' ? moved + letter : letter + moved;
  }
  const edge = (side === 'start' ? [...text.value.slice(0, 2)][0] : [...text.value.slice(-2)].at(-1)) ?? '';
  const needsSpace = moved === '' && LETTER.test(outside) && edge !== '' && !LETTER.test(edge);
  return needsSpace ? ' ' : moved;
}

/** Joins marks that follow each other, and makes their edges valid. */
export function fixMarks(parent: Parent): void {
  const joined: Child[] = [];
  for (const child of parent.children as Child[]) {
    if (child.type !== 'element' || isElement(child, 'pre', 'code')) {
      joined.push(child);
      continue;
    }
    child.tagName = MARKS[child.tagName] ?? child.tagName;
    const last = joined.at(-1);
    if (isElement(last) && last.tagName === child.tagName && Object.values(MARKS).includes(child.tagName))
      last.children.push(...child.children);
    else joined.push(child);
  }
  const children = joined.flatMap((child, at): Child[] => {
    if (child.type !== 'element' || isElement(child, 'pre', 'code')) return [child];
    fixMarks(child);
    if (!Object.values(MARKS).includes(child.tagName)) return [child];
    const before = trimEdge(child, edgeOf(joined[at - 1], 'end'), 'start');
    const after = trimEdge(child, edgeOf(joined[at + 1], 'start'), 'end');
    const isEmpty = child.children.every(isBlank);
    return [createText(before), ...(isEmpty ? [] : [child]), createText(after)];
  });
  setChildren(parent, children);
}

/** Links of 知乎, 掘金 and others lead to the target through a page of their own. */
function targetOf(href: string): string {
  const decoded = /^https?%3a/i.test(href) ? safeDecode(href) : href;
  const url = URL.parse(decoded);
  const target = url && /^link\./.test(url.hostname) ? url.searchParams.get('target') : null;
  return target !== null && /^https?:/.test(target) ? target : decoded;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function convertLinks(root: Parent): void {
  replaceElements(root, (element) => {
    if (element.tagName !== 'a') return undefined;
    const href = targetOf(attributeOf(element, 'href'));
    convertLinks(element);
    const hasText =
      [...elementsOf(element)].some(({ tagName }) => tagName === 'img' || tagName === 'x-raw') ||
      element.children.some((child) => !isBlank(child));
    if (!/^(?:https?:|mailto:|\/|#h-)/i.test(href) || !hasText) return element.children;
    return [createElement('a', { href }, element.children)];
  });
}

const alerts: Record<string, string> = {
  info: 'NOTE',
  note: 'NOTE',
  tips: 'TIP',
  tip: 'TIP',
  success: 'TIP',
  warning: 'WARNING',
  danger: 'CAUTION',
};

/** Quotes and coloured boxes of 语雀 and 飞书. */
export function convertQuotes(root: Parent): void {
  for (const element of elementsOf(root)) {
    if (element.tagName !== 'div') continue;
    if (hasClass(element, 'ne-quote', 'rich-text-quote')) element.tagName = 'blockquote';
    const isAlert = hasClass(element, 'ne-alert', 'lake-alert', 'callout-block');
    if (!isAlert && attributeOf(element, 'dataType') !== 'callout') continue;
    const kind = alerts[attributeOf(element, 'dataType')] ?? 'NOTE';
    element.tagName = 'blockquote';
    setChildren(element, [
      createElement('p', {}, [createRaw(`[!${kind}]`)]),
      ...(element.children as Child[]),
    ]);
  }
}

const EMPTY_WHEN_BLANK = 'p div section span strong em b i del h1 h2 h3 h4 h5 h6 blockquote li ul ol'.split(
  ' ',
);

/** Empty paragraphs, which writers use as space, and line breaks at the end of a paragraph. */
export function removeEmpty(parent: Parent): void {
  for (const child of parent.children)
    if (child.type === 'element' && child.tagName !== 'pre') removeEmpty(child);
  const children = (parent.children as Child[]).filter(
    (child) =>
      !isElement(child, ...EMPTY_WHEN_BLANK) ||
      !child.children.every((each) => isBlank(each) || isElement(each, 'br')) ||
      // A space between two words may be marked up.
      (child.tagName === 'span' &&
        child.children.length > 0 &&
        !child.children.some((each) => isElement(each, 'br'))),
  );
  while (isElement(children.at(-1), 'br')) children.pop();
  setChildren(parent, children);
}
