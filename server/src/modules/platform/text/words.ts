import { trimEnd } from '@mozhan/contract/scan.ts';
import { eachWord } from '@mozhan/contract/word-count.ts';
import { type Element, hasClass, isElement, type Node, type Root, textOf } from './tree.ts';

/** The beginning of a text, up to and with its `count`th word. */
export function firstWords(text: string, count: number): string {
  let left = count;
  let end = text.length;
  eachWord(text, (at) => {
    if (left === 0) end = at;
    left -= 1;
  });
  return end < text.length ? text.slice(0, end).trimEnd() : text;
}

const BLOCKS = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'section', 'div'],
  ...['figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd', 'table', 'caption', 'tr', 'br'],
]);
/** Longer formulas are no words. */
const SHORT_FORMULA = 20;
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

const isCode = (node: Element) => node.tagName === 'figure' && hasClass(node, 'code');
const isFootnotes = (node: Element) => node.tagName === 'section' && 'dataFootnotes' in node.properties;

/** What the page adds to a text, what is drawn, and how characters are said. */
function isNoText(node: Element): boolean {
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
  if (!isElement(node) || isNoText(node) || isLeftOut(node)) return;
  if (isCode(node)) {
    const pre = node.children.find((child) => isElement(child, 'pre'));
    if (pre) parts.push('\n', textOf(pre), '\n');
    return;
  }
  if (hasClass(node, 'math')) {
    const formula = textOf(node).replace(INVISIBLE, '');
    const isBroken = node.children.some((child) => isElement(child, 'code'));
    if (!isBroken && formula.length <= SHORT_FORMULA) parts.push(formula);
    return;
  }
  const edge = BLOCKS.has(node.tagName) ? '\n' : node.tagName === 'td' || node.tagName === 'th' ? ' ' : '';
  parts.push(edge);
  for (const child of node.children) collect(child, isLeftOut, parts);
  parts.push(edge);
}

function textWithout(tree: Root, isLeftOut: (node: Element) => boolean): string {
  const parts: string[] = [];
  for (const child of tree.children) collect(child, isLeftOut, parts);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();
}

/** A line for each block, code as it is. */
export const plainText = (tree: Root): string => textWithout(tree, () => false);

/** Of a comment, whose code has no frame. */
export const proseOf = (tree: Root): string =>
  textWithout(tree, ({ tagName }) => tagName === 'pre' || tagName === 'code');

const isNoProse = (node: Element): boolean =>
  /^h[1-6]$/.test(node.tagName) || ['figure', 'table', 'pre'].includes(node.tagName) || isFootnotes(node);

const SUMMARY = 120;
const SENTENCE_END = /[。！？…；!?;]["”’」』）)]*|\.(?=\s)/g;
/** A line's end that needs no space. */
const AFTER_MARK = /(?<=[。！？…；，、：”’」』）])\n/g;
const PAUSE = /[，、：,:]|\s/g;

function lastEnd(text: string, pattern: RegExp): number {
  const last = [...text.matchAll(pattern)].at(-1);
  return last ? last.index + last[0].length : 0;
}

/** The first sentences of its prose. */
export function summarise(tree: Root): string {
  const whole = textWithout(tree, isNoProse).replace(AFTER_MARK, '').replace(/\s+/g, ' ');
  const letters = [...whole.slice(0, 4 * SUMMARY)];
  if (letters.length <= SUMMARY) return letters.join('');
  const start = letters.slice(0, SUMMARY).join('');
  const sentences = lastEnd(start, SENTENCE_END);
  if (sentences >= SUMMARY / 2) return start.slice(0, sentences);
  const pause = lastEnd(start, PAUSE);
  const cut = pause >= SUMMARY / 2 ? trimEnd(start.slice(0, pause), ' ，、：,:') : start;
  return `${cut}…`;
}
