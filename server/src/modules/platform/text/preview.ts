import { countWords } from '@mozhan/contract/word-count.ts';
import { firstWords } from './extract-text.ts';
import type { MarkdownNode, MarkdownRoot } from './markdown.ts';
import { toPlainText } from './plain-text.ts';

/** A picture, formula or diagram counts as this many words. */
const FIGURE_WORDS = 40;
/** In text with few words (symbols, code), this many characters count as one word. */
const CHARACTERS_PER_WORD = 10;
/** HTML parsers turn `image` into `img`. */
const HTML_FIGURE = /<(?:img|image|table)\b/gi;

const isFigure = (node: MarkdownNode) =>
  node.type === 'image' ||
  node.type === 'imageReference' ||
  node.type === 'math' ||
  (node.type === 'paragraph' && node.data?.hName === 'pre') ||
  (node.type === 'code' && /^(mermaid|math)$/i.test(node.lang ?? ''));

function textOf(node: MarkdownNode): string {
  if (isFigure(node) || node.type === 'definition' || node.type === 'footnoteDefinition') return '';
  if (node.type === 'html') return ` ${toPlainText(node.value)} `;
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join(node.type === 'paragraph' ? '' : ' ') : '';
}

function countFigures(node: MarkdownNode): number {
  if (node.type === 'html') return node.value.match(HTML_FIGURE)?.length ?? 0;
  return isFigure(node) ? 1 : 0;
}

function* nodesOf(node: MarkdownNode): Generator<MarkdownNode> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* nodesOf(child);
}

interface Size {
  words: number;
  /** Words, figures and other characters, in units of words. */
  weight: number;
}

/** Call the returned function for the blocks in order: a footnote counts for the first block that references it. */
function createSizer(root: MarkdownRoot): (block: MarkdownNode) => Size {
  const footnotes = new Map<string, MarkdownNode[]>();
  for (const node of nodesOf(root))
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier))
      footnotes.set(node.identifier, node.children);
  return function sizeOf(block) {
    const text = textOf(block);
    const words = countWords(text);
    const size = {
      words,
      weight: Math.max(words, Math.ceil(text.replace(/\s+/g, '').length / CHARACTERS_PER_WORD)),
    };
    for (const node of nodesOf(block)) {
      size.weight += FIGURE_WORDS * countFigures(node);
      if (node.type !== 'footnoteReference') continue;
      const definition = footnotes.get(node.identifier) ?? [];
      footnotes.delete(node.identifier);
      for (const part of definition) {
        const { words, weight } = sizeOf(part);
        size.words += words;
        size.weight += weight;
      }
    }
    return size;
  };
}

const isDefinition = (node: MarkdownNode) => node.type === 'definition' || node.type === 'footnoteDefinition';

const sum = (sizes: Size[], key: keyof Size) => sizes.reduce((total, size) => total + size[key], 0);

function truncateParagraph(block: MarkdownNode, words: number): MarkdownRoot['children'] {
  const paragraph = nodesOf(block).find((node) => node.type === 'paragraph');
  const cut = paragraph && words > 0 ? firstWords(textOf(paragraph), words).trim() : '';
  return cut === '' ? [] : [{ type: 'paragraph', children: [{ type: 'text', value: `${cut}…` }] }];
}

/**
 * Returns the leading blocks with at most `percent` of the words. If no block with words fits, returns the blocks up to
 * the first one with words, or its truncated text if these are more than half of the essay.
 */
function leadingBlocks(root: MarkdownRoot, percent: number): MarkdownRoot['children'] {
  if (percent <= 0) return [];
  const blocks = root.children.filter((node) => !isDefinition(node));
  const sizeOf = createSizer(root);
  const sizes = blocks.map(sizeOf);
  const all = { words: sum(sizes, 'words'), weight: sum(sizes, 'weight') };
  const fits = (part: Size[], share: number) =>
    sum(part, 'words') <= all.words * share && sum(part, 'weight') <= all.weight * share;

  let count = 0;
  const used: Size = { words: 0, weight: 0 };
  for (const size of sizes) {
    used.words += size.words;
    used.weight += size.weight;
    if (!fits([used], percent / 100)) break;
    count++;
  }
  // A preview must not end with a heading.
  while (count > 0 && blocks[count - 1]?.type === 'heading') count--;
  const selected = blocks.slice(0, count);
  const unit = all.words > 0 ? 'words' : 'weight';
  if (sum(sizes.slice(0, count), unit) > 0) return selected;

  const first = blocks.findIndex((node, i) => node.type !== 'heading' && (sizes[i]?.[unit] ?? 0) > 0);
  const block = blocks[first];
  if (block === undefined) return selected;
  if (fits(sizes.slice(0, first + 1), 0.5)) return blocks.slice(0, first + 1);
  return [...selected, ...truncateParagraph(block, Math.floor((all.words * percent) / 100))];
}

/** Keeps all definitions, because only those that the preview references are rendered. */
export function extractPreview(root: MarkdownRoot, percent: number): MarkdownRoot {
  const selected = leadingBlocks(root, percent);
  const within = new Set(selected.flatMap((block) => [...nodesOf(block)]));
  const definitions = [...nodesOf(root)].filter(
    (node): node is MarkdownRoot['children'][number] => isDefinition(node) && !within.has(node),
  );
  return { type: 'root', children: [...selected, ...definitions] };
}
