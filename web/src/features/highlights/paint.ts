/** A range to paint, with the name of its style in painting.module.css. */
export interface PaintedRange {
  name: string;
  range: Range;
}

export const canPaintRanges = (): boolean => 'highlights' in CSS && 'Highlight' in window;

const PREFIX = 'essay-';

/** Paints without any change of the elements. */
function paintRanges(painted: readonly PaintedRange[]): () => void {
  const names = new Set(painted.map(({ name }) => name));
  for (const name of names) {
    const own = painted.filter((each) => each.name === name);
    CSS.highlights.set(PREFIX + name, new Highlight(...own.map(({ range }) => range)));
  }
  return () => {
    for (const name of names) CSS.highlights.delete(PREFIX + name);
  };
}

/** The parts of a range, one per text node. */
function textPartsOf(range: Range): Range[] {
  const { commonAncestorContainer: ancestor } = range;
  if (ancestor instanceof Text) return [range];
  const walker = document.createTreeWalker(ancestor, NodeFilter.SHOW_TEXT);
  const parts: Range[] = [];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    if (!range.intersectsNode(node) || !/\S/.test(node.data)) continue;
    const part = document.createRange();
    part.selectNodeContents(node);
    if (node === range.startContainer) part.setStart(node, range.startOffset);
    if (node === range.endContainer) part.setEnd(node, range.endOffset);
    if (!part.collapsed) parts.push(part);
  }
  return parts;
}

/** For browsers without highlight ranges: wraps the text in elements, and unwraps it again. */
function paintMarks(painted: readonly PaintedRange[]): () => void {
  const marks: HTMLElement[] = [];
  for (const { name, range } of painted)
    for (const part of textPartsOf(range)) {
      const mark = document.createElement('mark');
      mark.dataset.highlight = name;
      part.surroundContents(mark);
      marks.push(mark);
    }
  return () => {
    for (const mark of marks.reverse()) {
      const { parentNode } = mark;
      mark.replaceWith(...mark.childNodes);
      parentNode?.normalize();
    }
  };
}

/** Returns a function that removes the painting. */
export const paint = (painted: readonly PaintedRange[]): (() => void) =>
  canPaintRanges() ? paintRanges(painted) : paintMarks(painted);
