import { countWords } from '@mozhan/contract/word-count.ts';
import type { MarkdownNode, MarkdownRoot } from './markdown.ts';
import { toPlainText } from './plain.ts';
import { firstWords } from './words.ts';

/** What a picture, a formula or a diagram is worth in words. */
const FIGURE = 40;
/** Signs that are worth a word where there are hardly any words. */
const SIGNS = 10;
/** `image` is read as `img`. */
const HTML_FIGURE = /<(?:img|image|table)\b/gi;

const isDrawn = (node: MarkdownNode) =>
  node.type === 'image' ||
  node.type === 'imageReference' ||
  node.type === 'math' ||
  (node.type === 'paragraph' && node.data?.hName === 'pre') ||
  (node.type === 'code' && /^(mermaid|math)$/i.test(node.lang ?? ''));

function textOf(node: MarkdownNode): string {
  if (isDrawn(node) || node.type === 'definition' || node.type === 'footnoteDefinition') return '';
  if (node.type === 'html') return ` ${toPlainText(node.value)} `;
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(textOf).join(node.type === 'paragraph' ? '' : ' ') : '';
}

function countFigures(node: MarkdownNode): number {
  if (node.type === 'html') return node.value.match(HTML_FIGURE)?.length ?? 0;
  return isDrawn(node) ? 1 : 0;
}

function* nodesOf(node: MarkdownNode): Generator<MarkdownNode> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* nodesOf(child);
}

interface Size {
  words: number;
  /** Words, and what is there to be seen. */
  weight: number;
}

/** Sizes of blocks in their order: a footnote belongs to the block that names it first. */
function sizer(root: MarkdownRoot): (block: MarkdownNode) => Size {
  const footnotes = new Map<string, MarkdownNode[]>();
  for (const node of nodesOf(root))
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier))
      footnotes.set(node.identifier, node.children);
  return function sizeOf(block) {
    const text = textOf(block);
    const words = countWords(text);
    const size = { words, weight: Math.max(words, Math.ceil(text.replace(/\s+/g, '').length / SIGNS)) };
    for (const node of nodesOf(block)) {
      size.weight += FIGURE * countFigures(node);
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

/** The words of a block's first paragraph, without what is marked in it. */
function cutParagraph(block: MarkdownNode, words: number): MarkdownRoot['children'] {
  const paragraph = nodesOf(block).find((node) => node.type === 'paragraph');
  const cut = paragraph && words > 0 ? firstWords(textOf(paragraph), words).trim() : '';
  return cut === '' ? [] : [{ type: 'paragraph', children: [{ type: 'text', value: `${cut}…` }] }];
}

/**
 * The leading blocks with at most `percent` of the words. Where none with words fits, the first one, unless it is
 * most of the text: then the beginning of its words.
 */
function leadingBlocks(root: MarkdownRoot, percent: number): MarkdownRoot['children'] {
  if (percent <= 0) return [];
  const blocks = root.children.filter((node) => !isDefinition(node));
  const sizeOf = sizer(root);
  const sizes = blocks.map(sizeOf);
  const all = { words: sum(sizes, 'words'), weight: sum(sizes, 'weight') };
  const fits = (part: Size[], share: number) =>
    sum(part, 'words') <= all.words * share && sum(part, 'weight') <= all.weight * share;

  let count = 0;
  const taken: Size = { words: 0, weight: 0 };
  for (const size of sizes) {
    taken.words += size.words;
    taken.weight += size.weight;
    if (!fits([taken], percent / 100)) break;
    count++;
  }
  // A heading with nothing under it promises what is not there.
  while (count > 0 && blocks[count - 1]?.type === 'heading') count--;
  const kept = blocks.slice(0, count);
  const measured = all.words > 0 ? 'words' : 'weight';
  if (sum(sizes.slice(0, count), measured) > 0) return kept;

  const first = blocks.findIndex((node, i) => node.type !== 'heading' && (sizes[i]?.[measured] ?? 0) > 0);
  const block = blocks[first];
  if (block === undefined) return kept;
  if (fits(sizes.slice(0, first + 1), 0.5)) return blocks.slice(0, first + 1);
  return [...kept, ...cutParagraph(block, Math.floor((all.words * percent) / 100))];
}

/** Definitions show nothing by themselves: all may stay, and those that the preview names are used. */
export function cutPreview(root: MarkdownRoot, percent: number): MarkdownRoot {
  const kept = leadingBlocks(root, percent);
  const within = new Set(kept.flatMap((block) => [...nodesOf(block)]));
  const definitions = [...nodesOf(root)].filter(
    (node): node is MarkdownRoot['children'][number] => isDefinition(node) && !within.has(node),
  );
  return { type: 'root', children: [...kept, ...definitions] };
}
