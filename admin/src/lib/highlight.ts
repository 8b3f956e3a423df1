const NAME = 'sensitive';

/** The text that is looked at; code is not. */
function textsIn(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('pre, code') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

function rangesIn(text: Text, word: string): Range[] {
  const ranges: Range[] = [];
  const content = text.data.toLowerCase();
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + word.length)) {
    const range = new Range();
    range.setStart(text, at);
    range.setEnd(text, at + word.length);
    ranges.push(range);
  }
  return ranges;
}

/** Marks words without touching the document that holds them; styles call the mark by its name. */
export function highlight(root: Element, words: readonly string[]): () => void {
  if (!('highlights' in CSS)) return () => {};
  const wanted = words.map((word) => word.toLowerCase()).filter((word) => word !== '');
  const ranges = textsIn(root).flatMap((text) => wanted.flatMap((word) => rangesIn(text, word)));
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => CSS.highlights.delete(NAME);
}
