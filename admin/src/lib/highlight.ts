const NAME = 'sensitive';

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

/** Highlights words with the CSS Custom Highlight API, without changing the DOM; returns a function that removes it. */
export function highlight(root: Element, words: readonly string[]): () => void {
  if (!('highlights' in CSS)) return () => {};
  const lowerCaseWords = words.map((word) => word.toLowerCase()).filter((word) => word !== '');
  const ranges = textsIn(root).flatMap((text) => lowerCaseWords.flatMap((word) => rangesIn(text, word)));
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => CSS.highlights.delete(NAME);
}
