import { type Child, createElement, createText, type Element, isElement, type Root } from './tree.ts';

/** HTML's phrasing content: elements that may not contain blocks. */
const PHRASING = new Set([
  ...['a', 'img', 'em', 'strong', 'del', 'code', 'br', 'sup', 'input', 'span', 'b', 'i', 'u', 's', 'small'],
  ...['sub', 'ins', 'mark', 'kbd', 'samp', 'var', 'q', 'cite', 'abbr', 'ruby', 'rt', 'rp'],
]);
const PHRASING_ONLY = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'summary'];
/** Elements that are valid in one kind of parent only; `repairBlock` handles the parents. */
const RESTRICTED_PARENT = [
  'li',
  'dt',
  'dd',
  'summary',
  'figcaption',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
];
/** Marks around nested blocks multiply with each block, so their number is limited. */
const MAX_MARKS = 4;

const isBlock = ({ tagName }: Element): boolean => !PHRASING.has(tagName);
/** XML's definition of white space, which excludes other Unicode spaces. */
const isBlank = (node: Child): boolean => node.type === 'text' && /^[ \t\r\n]*$/.test(node.value);
const withTagName = (node: Element, tagName: string): Element => createElement(tagName, {}, node.children);

/** Returns the names of the children, each followed by a space, to be matched by a regular expression. */
const shapeOf = (children: readonly Child[]): string =>
  children
    .filter((child) => !isBlank(child))
    .map((child) => `${isElement(child) ? child.tagName : 'text'} `)
    .join('');

function collectBlockContainers(parent: Root | Element, blockContainers: Set<Element>): boolean {
  let containsBlock = false;
  for (const child of parent.children as Child[]) {
    if (!isElement(child)) continue;
    if (collectBlockContainers(child, blockContainers)) blockContainers.add(child);
    if (isBlock(child) || blockContainers.has(child)) containsBlock = true;
  }
  return containsBlock;
}

/** Replaces blocks by their phrasing content. */
function toPhrasing(children: readonly Child[]): Child[] {
  return children.flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isBlock(child)) return [createText(' '), ...toPhrasing(child.children), createText(' ')];
    child.children = toPhrasing(child.children);
    return repairPhrasing(child);
  });
}

/** Turns a `ruby` that is not a sequence of base and annotation into plain text. */
function repairPhrasing(node: Element): Child[] {
  if (node.tagName !== 'ruby') return [node];
  const shape = shapeOf(node.children).replace(/\b(?!rt |rp )\w+ /g, 'x ');
  if (/^(?:(?:x )+(?:rt |rp rt rp ))+$/.test(shape)) return [node];
  return node.children.map((child) => (isElement(child, 'rt', 'rp') ? withTagName(child, 'span') : child));
}

/**
 * Repairs the children of an element that may contain blocks. A mark around blocks is moved into each of them; only
 * `ins` and `del` may contain blocks themselves.
 */
function repairFlow(
  children: readonly Child[],
  blockContainers: Set<Element>,
  marks: readonly Element[] = [],
): Child[] {
  const repaired: Child[] = [];
  let words: Child[] = [];
  const flushPhrasing = () => {
    const isMarked = marks.length > 0 && !words.every(isBlank);
    const marked = isMarked
      ? [
          marks.reduceRight<Child[]>(
            (inner, mark) => [createElement(mark.tagName, { ...mark.properties, id: undefined }, inner)],
            words,
          ),
        ]
      : [words];
    repaired.push(...marked.flat());
    words = [];
  };
  for (const child of children) {
    if (!isElement(child)) words.push(child);
    else if (isBlock(child)) {
      flushPhrasing();
      repaired.push(...repairBlock(child, blockContainers, marks));
    } else if (blockContainers.has(child) && isElement(child, 'ins', 'del')) {
      flushPhrasing();
      child.children = repairFlow(child.children, blockContainers, marks);
      repaired.push(child);
    } else if (blockContainers.has(child)) {
      flushPhrasing();
      const others = marks.filter((mark) => mark.tagName !== child.tagName);
      const isMark = child.tagName !== 'ruby' && others.length < MAX_MARKS;
      repaired.push(...repairFlow(child.children, blockContainers, isMark ? [...others, child] : others));
    } else {
      child.children = toPhrasing(child.children);
      words.push(...(isElement(child, 'rt', 'rp') ? [withTagName(child, 'span')] : repairPhrasing(child)));
    }
  }
  flushPhrasing();
  return repaired;
}

function repairBlock(node: Element, blockContainers: Set<Element>, marks: readonly Element[]): Child[] {
  const flow = (children: readonly Child[]) => repairFlow(children, blockContainers, marks);
  const intoFlow = (child: Element) => {
    child.children = flow(child.children);
    return child;
  };
  const { tagName } = node;
  if (RESTRICTED_PARENT.includes(tagName)) return [createElement('div', {}, flow(node.children))];
  if (PHRASING_ONLY.includes(tagName)) {
    const words = toPhrasing(node.children);
    node.children = tagName === 'pre' ? words : repairFlow(words, blockContainers, marks);
  } else if (tagName === 'ul' || tagName === 'ol') {
    node.children = node.children.map((child) => {
      if (isBlank(child)) return child;
      return isElement(child, 'li') ? intoFlow(child) : createElement('li', {}, flow([child]));
    });
  } else if (tagName === 'table') return repairTable(node, blockContainers, marks);
  else if (tagName === 'dl') return repairDescriptionList(node, intoFlow, flow);
  else if (tagName === 'details') repairDetails(node, flow);
  else if (tagName === 'figure') repairFigure(node, flow, intoFlow);
  else node.children = flow(node.children);
  return [node];
}

type Flow = (children: readonly Child[]) => Child[];
type IntoFlow = (child: Element) => Element;

/** Turns a `dl` whose terms and descriptions do not alternate into a `div`. */
function repairDescriptionList(node: Element, intoFlow: IntoFlow, flow: Flow): Child[] {
  if (!/^(?:(?:dt )+(?:dd )+)*$/.test(shapeOf(node.children)))
    return [createElement('div', {}, flow(node.children))];
  node.children = node.children.map((child) => (isElement(child) ? intoFlow(child) : child));
  return [node];
}

/** Ensures exactly one summary, as the first child. */
function repairDetails(node: Element, flow: Flow): void {
  const at = node.children.findIndex((child) => isElement(child, 'summary'));
  const summary = node.children[at] ?? createElement('summary', {}, [createText('详情')]);
  if (isElement(summary)) summary.children = toPhrasing(summary.children);
  const before = node.children.slice(0, Math.max(at, 0)).filter((child) => !isBlank(child));
  const after = node.children.slice(at + 1);
  const [first] = node.children;
  const indent = first !== undefined && isBlank(first) ? [first] : [];
  node.children = [...indent, summary, ...flow([...before, ...after])];
}

/** Ensures at most one caption, as the first or last child. */
function repairFigure(node: Element, flow: Flow, intoFlow: IntoFlow): void {
  const isCaption = (child: Child | undefined): child is Element => isElement(child, 'figcaption');
  const nonBlank = node.children.filter((child) => !isBlank(child));
  const caption = [nonBlank[0], nonBlank.at(-1)].find(isCaption);
  node.children = node.children.flatMap((child) =>
    child === caption && isElement(child) ? [intoFlow(child)] : flow([child]),
  );
}

const SECTIONS = ['thead', 'tbody', 'tfoot'];

/** Orders caption, head, bodies and foot. Content outside of rows and cells is moved before the table. */
function repairTable(table: Element, blockContainers: Set<Element>, marks: readonly Element[]): Child[] {
  const flow = (children: readonly Child[]) => repairFlow(children, blockContainers, marks);
  const stray: Child[] = [];
  const keep = (children: Child[], ...tagNames: string[]) =>
    children.filter((child): child is Element => {
      const isKept = isBlank(child) || isElement(child, ...tagNames);
      if (!isKept) stray.push(child);
      return isKept;
    });
  function repairSection(section: Element): Element {
    section.children = keep(section.children, 'tr');
    for (const row of section.children.filter((child): child is Element => isElement(child))) {
      row.children = keep(row.children, 'th', 'td');
      for (const cell of row.children) if (isElement(cell)) cell.children = flow(cell.children);
    }
    return section;
  }

  const parts = keep(table.children, 'caption', 'tr', ...SECTIONS);
  for (const part of parts) {
    if (isElement(part, 'caption')) part.children = toPhrasing(part.children);
    else if (isElement(part, ...SECTIONS)) repairSection(part);
  }
  if (/^(?:caption )?(?:thead )?(?:tbody )*(?:tfoot )?$/.test(shapeOf(parts))) table.children = parts;
  else {
    const all = (name: string) => parts.filter((part) => isElement(part, name));
    const [[caption, ...captions], [head, ...heads], [foot, ...feet]] = [
      all('caption'),
      all('thead'),
      all('tfoot'),
    ];
    stray.push(...captions.flatMap((each) => each.children));
    const rows = all('tr');
    const body = rows.length > 0 ? [repairSection(createElement('tbody', {}, rows))] : [];
    const others = [...heads, ...all('tbody'), ...feet].map((each) => withTagName(each, 'tbody'));
    table.children = [caption, head, ...body, ...others, foot].filter((part) => part !== undefined);
  }
  return [...flow(stray), table];
}

/** Repairs nesting that HTML does not allow: browsers would guess, and e-books would be invalid XHTML. */
export function repairNesting(tree: Root): void {
  const blockContainers = new Set<Element>();
  collectBlockContainers(tree, blockContainers);
  tree.children = repairFlow(tree.children as Child[], blockContainers);
}
