import { type Child, type Element, element, isElement, type Root, text } from './tree.ts';

/** Elements that hold words and each other, no blocks. */
const PHRASING = new Set([
  ...['a', 'img', 'em', 'strong', 'del', 'code', 'br', 'sup', 'input', 'span', 'b', 'i', 'u', 's', 'small'],
  ...['sub', 'ins', 'mark', 'kbd', 'samp', 'var', 'q', 'cite', 'abbr', 'ruby', 'rt', 'rp'],
]);
/** Blocks that hold no blocks. */
const OF_WORDS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'summary'];
/** Parts that belong into one element only; see `repairBlock` for the elements themselves. */
const PARTS = [
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
/** A word carries so many marks from around its block at the most. */
const MOST_MARKS = 4;

const isBlock = ({ tagName }: Element): boolean => !PHRASING.has(tagName);
/** What XML takes for blank: other spaces are words. */
const isBlank = (node: Child): boolean => node.type === 'text' && /^[ \t\r\n]*$/.test(node.value);
const renamed = (node: Element, tagName: string): Element => element(tagName, {}, node.children);

/** The names of what an element holds, one after the other, each with a blank behind it. */
const shapeOf = (children: readonly Child[]): string =>
  children
    .filter((child) => !isBlank(child))
    .map((child) => `${isElement(child) ? child.tagName : 'text'} `)
    .join('');

/** Elements that hold a block somewhere among their words. */
function listHolders(parent: Root | Element, holders: Set<Element>): boolean {
  let holds = false;
  for (const child of parent.children as Child[]) {
    if (!isElement(child)) continue;
    if (listHolders(child, holders)) holders.add(child);
    if (isBlock(child) || holders.has(child)) holds = true;
  }
  return holds;
}

/** Words alone: blocks among them give theirs. */
function toWords(children: readonly Child[]): Child[] {
  return children.flatMap((child) => {
    if (!isElement(child)) return [child];
    if (isBlock(child)) return [text(' '), ...toWords(child.children), text(' ')];
    child.children = toWords(child.children);
    return repairPhrasing(child);
  });
}

/** A base and its reading, as often as one likes; anything else is words. */
function repairPhrasing(node: Element): Child[] {
  if (node.tagName !== 'ruby') return [node];
  const shape = shapeOf(node.children).replace(/\b(?!rt |rp )\w+ /g, 'x ');
  if (/^(?:(?:x )+(?:rt |rp rt rp ))+$/.test(shape)) return [node];
  return node.children.map((child) => (isElement(child, 'rt', 'rp') ? renamed(child, 'span') : child));
}

/**
 * What may hold blocks. Words that are marked around blocks are marked within each of them; `ins` and `del` may stand
 * around blocks.
 */
function repairFlow(
  children: readonly Child[],
  holders: Set<Element>,
  marks: readonly Element[] = [],
): Child[] {
  const repaired: Child[] = [];
  let words: Child[] = [];
  const endWords = () => {
    const isMarked = marks.length > 0 && !words.every(isBlank);
    const marked = isMarked
      ? [
          marks.reduceRight<Child[]>(
            (inner, mark) => [element(mark.tagName, { ...mark.properties, id: undefined }, inner)],
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
      endWords();
      repaired.push(...repairBlock(child, holders, marks));
    } else if (holders.has(child) && isElement(child, 'ins', 'del')) {
      endWords();
      child.children = repairFlow(child.children, holders, marks);
      repaired.push(child);
    } else if (holders.has(child)) {
      endWords();
      const others = marks.filter((mark) => mark.tagName !== child.tagName);
      const isMark = child.tagName !== 'ruby' && others.length < MOST_MARKS;
      repaired.push(...repairFlow(child.children, holders, isMark ? [...others, child] : others));
    } else {
      child.children = toWords(child.children);
      words.push(...(isElement(child, 'rt', 'rp') ? [renamed(child, 'span')] : repairPhrasing(child)));
    }
  }
  endWords();
  return repaired;
}

function repairBlock(node: Element, holders: Set<Element>, marks: readonly Element[]): Child[] {
  const flow = (children: readonly Child[]) => repairFlow(children, holders, marks);
  const intoFlow = (child: Element) => {
    child.children = flow(child.children);
    return child;
  };
  const { tagName } = node;
  if (PARTS.includes(tagName)) return [element('div', {}, flow(node.children))];
  if (OF_WORDS.includes(tagName)) {
    const words = toWords(node.children);
    node.children = tagName === 'pre' ? words : repairFlow(words, holders, marks);
  } else if (tagName === 'ul' || tagName === 'ol') {
    node.children = node.children.map((child) => {
      if (isBlank(child)) return child;
      return isElement(child, 'li') ? intoFlow(child) : element('li', {}, flow([child]));
    });
  } else if (tagName === 'table') return repairTable(node, holders, marks);
  else if (tagName === 'dl') return repairTerms(node, intoFlow, flow);
  else if (tagName === 'details') repairDetails(node, flow);
  else if (tagName === 'figure') repairFigure(node, flow, intoFlow);
  else node.children = flow(node.children);
  return [node];
}

type Flow = (children: readonly Child[]) => Child[];
type IntoFlow = (child: Element) => Element;

/** Terms and what they mean, in turn; without such an order it is no list. */
function repairTerms(node: Element, intoFlow: IntoFlow, flow: Flow): Child[] {
  if (!/^(?:(?:dt )+(?:dd )+)*$/.test(shapeOf(node.children)))
    return [element('div', {}, flow(node.children))];
  node.children = node.children.map((child) => (isElement(child) ? intoFlow(child) : child));
  return [node];
}

/** One summary, before everything else. */
function repairDetails(node: Element, flow: Flow): void {
  const summary =
    node.children.find((child) => isElement(child, 'summary')) ?? element('summary', {}, [text('详情')]);
  if (isElement(summary)) summary.children = toWords(summary.children);
  const before = node.children.slice(0, node.children.indexOf(summary)).filter((child) => !isBlank(child));
  const after = node.children.slice(node.children.indexOf(summary) + 1);
  const [first] = node.children;
  const indent = first !== undefined && isBlank(first) ? [first] : [];
  node.children = [...indent, summary, ...flow([...before, ...after])];
}

/** One caption, before or after everything else. */
function repairFigure(node: Element, flow: Flow, intoFlow: IntoFlow): void {
  const isCaption = (child: Child | undefined): child is Element => isElement(child, 'figcaption');
  const inked = node.children.filter((child) => !isBlank(child));
  const caption = [inked[0], inked.at(-1)].find(isCaption);
  node.children = node.children.flatMap((child) =>
    child === caption && isElement(child) ? [intoFlow(child)] : flow([child]),
  );
}

const SECTIONS = ['thead', 'tbody', 'tfoot'];

/** A caption, a head, bodies and a foot, in this order. What stands beside rows and cells comes before the table. */
function repairTable(table: Element, holders: Set<Element>, marks: readonly Element[]): Child[] {
  const flow = (children: readonly Child[]) => repairFlow(children, holders, marks);
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
    if (isElement(part, 'caption')) part.children = toWords(part.children);
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
    const body = rows.length > 0 ? [repairSection(element('tbody', {}, rows))] : [];
    const others = [...heads, ...all('tbody'), ...feet].map((each) => renamed(each, 'tbody'));
    table.children = [caption, head, ...body, ...others, foot].filter((part) => part !== undefined);
  }
  return [...flow(stray), table];
}

/** Puts every element where HTML allows it, whatever people wrote: browsers guess otherwise, and books are invalid. */
export function repairNesting(tree: Root): void {
  const holders = new Set<Element>();
  listHolders(tree, holders);
  tree.children = repairFlow(tree.children as Child[], holders);
}
