/** A sentence of the text: what is spoken, and where it is. */
export interface Sentence {
  text: string;
  range: Range;
}

const BLOCKS = 'p, li, h1, h2, h3, h4, h5, h6, td, th, dt, dd, figcaption, blockquote, summary, div, section';
/** Code, formulas and diagrams make no sense when spoken; the others are controls. */
const SILENT =
  'figure.code, pre, math, svg, script, style, button, [aria-hidden="true"], [data-diagram], a.anchor, sup, rt, rp';

interface TextRun {
  block: Element;
  nodes: Text[];
}

/** Adjacent texts of one block. */
function listRuns(root: HTMLElement): TextRun[] {
  const runs: TextRun[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const parent = node.parentElement;
    if (parent === null || parent.closest(SILENT) !== null) continue;
    const block = parent.closest(BLOCKS) ?? root;
    const last = runs.at(-1);
    if (last?.block === block) last.nodes.push(node);
    else runs.push({ block, nodes: [node] });
  }
  return runs;
}

/** Without the browser's own segmenter, a block is one sentence. */
function splitSentences(text: string): string[] {
  if (!('Segmenter' in Intl)) return [text];
  const segmenter = new Intl.Segmenter('zh', { granularity: 'sentence' });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}

/** Finds the node that contains the offset; at the border of two nodes, the first one for an end. */
function locate(nodes: Text[], offset: number, isEnd: boolean): [Text, number] {
  let rest = offset;
  for (const node of nodes) {
    if (rest < node.length || (isEnd && rest === node.length)) return [node, rest];
    rest -= node.length;
  }
  const last = nodes[nodes.length - 1] as Text;
  return [last, last.length];
}

function toSentences({ nodes }: TextRun): Sentence[] {
  const text = nodes.map((node) => node.data).join('');
  const sentences: Sentence[] = [];
  let at = 0;
  for (const part of splitSentences(text)) {
    const spoken = part.trim();
    if (/[\p{L}\p{N}]/u.test(spoken)) {
      const start = at + part.indexOf(spoken);
      const range = document.createRange();
      range.setStart(...locate(nodes, start, false));
      range.setEnd(...locate(nodes, start + spoken.length, true));
      sentences.push({ text: spoken, range });
    }
    at += part.length;
  }
  return sentences;
}

/** The sentences of a text in reading order, without code, formulas and diagrams. */
export const listSentences = (root: HTMLElement): Sentence[] => listRuns(root).flatMap(toSentences);
