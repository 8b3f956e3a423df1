import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { forEachWord } from '@mozhan/contract/word-count.ts';
import { type Element, hasClass, isElement, type Node, type Root, textOf } from './tree.ts';

/** Returns the beginning of a text including its `count`th word. */
export function firstWords(text: string, count: number): string {
  let left = count;
  let end = text.length;
  forEachWord(text, (at) => {
    if (left === 0) end = at;
    left -= 1;
  });
  return end < text.length ? text.slice(0, end).trimEnd() : text;
}

const BLOCKS = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'section', 'div'],
  ...['figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd', 'table', 'caption', 'tr', 'br'],
]);
/** Longer formulas are left out of the text. */
const MAX_FORMULA_LENGTH = 20;
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

const isCode = (node: Element) => node.tagName === 'figure' && hasClass(node, 'code');
const isFootnotes = (node: Element) => node.tagName === 'section' && 'dataFootnotes' in node.properties;

/** Excludes markup added by the page, drawings, and ruby annotations. */
function isExcluded(node: Element): boolean {
  const { properties: own, tagName } = node;
  return (
    tagName === 'rt' ||
    tagName === 'rp' ||
    own.id === 'footnote-label' ||
    'dataFootnoteRef' in own ||
    'dataFootnoteBackref' in own ||
    ['anchor', 'diagram', 'math-display', 'callout-title'].some((name) => hasClass(node, name))
  );
}

function collect(node: Node, isLeftOut: (node: Element) => boolean, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value.replace(/\s+/g, ' '));
  if (!isElement(node) || isExcluded(node) || isLeftOut(node)) return;
  if (isCode(node)) {
    const pre = node.children.find((child) => isElement(child, 'pre'));
    if (pre) parts.push('\n', textOf(pre), '\n');
    return;
  }
  if (hasClass(node, 'math')) {
    const formula = textOf(node).replace(INVISIBLE, '');
    const isBroken = node.children.some((child) => isElement(child, 'code'));
    if (!isBroken && formula.length <= MAX_FORMULA_LENGTH) parts.push(formula);
    return;
  }
  const edge = BLOCKS.has(node.tagName) ? '\n' : node.tagName === 'td' || node.tagName === 'th' ? ' ' : '';
  parts.push(edge);
  for (const child of node.children) collect(child, isLeftOut, parts);
  parts.push(edge);
}

function extractTextWithout(tree: Root, isLeftOut: (node: Element) => boolean): string {
  const parts: string[] = [];
  for (const child of tree.children) collect(child, isLeftOut, parts);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();
}

/** Returns one line per block; code keeps its lines. */
export const extractText = (tree: Root): string => extractTextWithout(tree, () => false);

/** For comments: their code is a bare `pre`, not a figure. */
export const extractProse = (tree: Root): string =>
  extractTextWithout(tree, ({ tagName }) => tagName === 'pre' || tagName === 'code');

const isNotProse = (node: Element): boolean =>
  /^h[1-6]$/.test(node.tagName) || ['figure', 'table', 'pre'].includes(node.tagName) || isFootnotes(node);

const SUMMARY_LENGTH = 120;
const SENTENCE_END = /[。！？…；!?;]["”’」』）)]*|\.(?=\s)/g;
/** A line break after Chinese punctuation, which needs no space. */
const BREAK_AFTER_PUNCTUATION = /(?<=[。！？…；，、：”’」』）])\n/g;
const PAUSE = /[，、：,:]|\s/g;

function lastEnd(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last ? last.index + last[0].length : 0;
}

/** The text from which summaries are made. */
export const extractSummaryText = (tree: Root): string => extractTextWithout(tree, isNotProse);

export function summarise(text: string): string {
  const prose = text.replace(BREAK_AFTER_PUNCTUATION, '').replace(/\s+/g, ' ');
  const letters = [...prose.slice(0, 4 * SUMMARY_LENGTH)];
  if (letters.length <= SUMMARY_LENGTH) return letters.join('');
  const start = letters.slice(0, SUMMARY_LENGTH).join('');
  const sentences = lastEnd(start, SENTENCE_END);
  if (sentences >= SUMMARY_LENGTH / 2) return start.slice(0, sentences);
  const pause = lastEnd(start, PAUSE);
  const cut = pause >= SUMMARY_LENGTH / 2 ? trimEnd(start.slice(0, pause), ' ，、：,:') : start;
  return `${cut}…`;
}
