import { quoteAt, type TextQuote, type TextRange } from '@mozhan/contract/anchoring.ts';

/** Formulas, diagrams and buttons; the server leaves out the same elements (visible-text.ts). */
const LEFT_OUT = 'button, math, svg, .math, .diagram';

const isSpace = (character: string): boolean => /\s/.test(character);

/** How many characters are not whitespace. */
function compactLength(text: string, end = text.length): number {
  let length = 0;
  for (let at = 0; at < end; at += 1) if (!isSpace(text.charAt(at))) length += 1;
  return length;
}

/** The index of the character with this number, not counting whitespace. */
function indexOfCharacter(text: string, number: number): number {
  let left = number;
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text.charAt(at))) continue;
    if (left === 0) return at;
    left -= 1;
  }
  return text.length;
}

function textNodesOf(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node instanceof Text) return NodeFilter.FILTER_ACCEPT;
    return node instanceof Element && node.matches(LEFT_OUT)
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_SKIP;
  });
  const nodes: Text[] = [];
  while (walker.nextNode() !== null) nodes.push(walker.currentNode as Text);
  return nodes;
}

/** The last index whose value is not greater; values are sorted. */
function lastNotGreater(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Converts between positions in the text of an essay, without whitespace, and places in its elements. */
export function createTextMap(root: Element) {
  const nodes = textNodesOf(root).filter(({ data }) => /\S/.test(data));
  const starts: number[] = [];
  let text = '';
  for (const { data } of nodes) {
    starts.push(text.length);
    text += data.replace(/\s+/g, '');
  }

  /** Also for places in elements without selectable text. */
  function positionOf(node: Node, offset: number): number {
    const own = node instanceof Text ? nodes.indexOf(node) : -1;
    if (own >= 0 && node instanceof Text) return (starts[own] ?? 0) + compactLength(node.data, offset);
    const place = document.createRange();
    place.setStart(node, offset);
    const after = nodes.findIndex((each) => place.comparePoint(each, 0) >= 0);
    return after < 0 ? text.length : (starts[after] ?? 0);
  }

  function placeOf(position: number): { node: Text; offset: number } | null {
    const index = lastNotGreater(starts, position);
    const node = nodes[index];
    if (node === undefined) return null;
    return { node, offset: indexOfCharacter(node.data, position - (starts[index] ?? 0)) };
  }

  return {
    text,
    positionOf,
    rangeOf({ start, end }: TextRange): Range | null {
      const [first, last] = [placeOf(start), placeOf(end - 1)];
      if (first === null || last === null || start >= end || end > text.length) return null;
      const range = document.createRange();
      range.setStart(first.node, first.offset);
      range.setEnd(last.node, last.offset + 1);
      return range;
    },
    /** Null for a range outside of the text, or without any. */
    quoteOf(range: Range): TextQuote | null {
      if (!root.contains(range.startContainer) && !root.contains(range.endContainer)) return null;
      const start = root.contains(range.startContainer)
        ? positionOf(range.startContainer, range.startOffset)
        : 0;
      const end = root.contains(range.endContainer)
        ? positionOf(range.endContainer, range.endOffset)
        : text.length;
      return start < end ? quoteAt(text, { start, end }) : null;
    },
  };
}

export type TextMap = ReturnType<typeof createTextMap>;
