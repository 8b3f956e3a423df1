import { createHash } from 'node:crypto';
import { MAX_PREVIEW_SECTIONS } from '@mozhan/contract/content-length.ts';
import { commonEnds } from '@mozhan/contract/text-scan.ts';
import { countMarkdown, type TextLength } from '@mozhan/contract/word-count.ts';
import { extractSummaryText, summarise } from './extract-text.ts';
import type { TocEntry } from './headings.ts';
import { type MarkdownNode, type MarkdownRoot, parseMarkdown } from './markdown.ts';
import { rejectDeepNesting } from './nesting-depth.ts';
import { type EssayOptions, renderTree, stringifyTree } from './pipeline.ts';
import type { Root } from './tree.ts';

/*
 * Renders drafts for the editor. A thread remembers the last long texts as sections of a few blocks each. Where a text
 * differs from a remembered one, only the sections around the difference are parsed and rendered again: blocks are
 * parsed from left to right, so what precedes the section before the difference cannot change, nor can what follows a
 * section after it that is parsed to the same blocks as before.
 */

/** Shorter texts are rendered as a whole. */
const MIN_LENGTH = 20_000;
const SECTION_LENGTH = 2000;
const MAX_REMEMBERED = 4;
const MAX_TOC_ENTRIES = 1000;
/** Blocks and line breaks in a group of a text that is rendered as a whole. */
const GROUP_NODES = 80;

export interface RenderedDraft extends TextLength {
  /** Together they are the HTML; null for those that are known. */
  sections: { id: string; html: string | null }[];
  toc: TocEntry[];
  summary: string;
}

export interface DraftOptions extends Pick<EssayOptions, 'pictures' | 'siteUrl'> {
  /** Ids of sections that the caller has. */
  known?: readonly string[];
}

interface Section {
  /** From the beginning of its first block to that of the next section. */
  source: string;
  /** Types and places of its blocks, to recognize them. */
  blocks: string;
  html: string;
  toc: TocEntry[];
  summaryText: string;
  hasTopHeading: boolean;
  isDemoted: boolean;
  options: string;
}

interface Draft {
  source: string;
  /** Before the first block. */
  start: string;
  sections: Section[];
}

const remembered: Draft[] = [];

type Block = MarkdownRoot['children'][number];
const childrenOf = (node: MarkdownNode): MarkdownNode[] =>
  'children' in node ? (node.children as MarkdownNode[]) : [];

const BLOCK_PARENTS = ['root', 'blockquote', 'listItem'];

/** HTML may extend over several blocks, and definitions apply to the entire text. */
const isShared = (node: MarkdownNode, parent: MarkdownNode): boolean =>
  node.type === 'definition' ||
  node.type === 'footnoteDefinition' ||
  (node.type === 'html' && (BLOCK_PARENTS.includes(parent.type) || /<h1/i.test(node.value)));

/** Whether the blocks of the text can be rendered apart. */
const isSeparable = (parent: MarkdownNode): boolean =>
  childrenOf(parent).every((node) => !isShared(node, parent) && isSeparable(node));

const hasTopHeading = (node: MarkdownNode): boolean =>
  (node.type === 'heading' && node.depth === 1) || childrenOf(node).some(hasTopHeading);

const startOf = ({ position }: Block): number => position?.start.offset ?? 0;
const endOf = ({ position }: Block): number => position?.end.offset ?? 0;
const placesOf = (blocks: Block[], from: number): string =>
  blocks.map((block) => `${block.type} ${startOf(block) - from} ${endOf(block) - from}`).join();

/** What the rendering of a section depends on, apart from its text. */
const optionsOf = (source: string, { pictures, siteUrl }: DraftOptions): string =>
  JSON.stringify([siteUrl, Object.entries(pictures).filter(([url]) => source.includes(url))]);

interface SectionOptions {
  options: DraftOptions;
  isDemoted: boolean;
}

async function renderSection(
  source: string,
  blocks: Block[],
  { options, isDemoted }: SectionOptions,
): Promise<Section> {
  const [first] = blocks;
  const { html, toc, tree } = await renderTree({ type: 'root', children: blocks }, options, isDemoted);
  return {
    source,
    blocks: placesOf(blocks, first === undefined ? 0 : startOf(first)),
    html,
    toc,
    summaryText: extractSummaryText(tree),
    hasTopHeading: blocks.some(hasTopHeading),
    isDemoted,
    options: optionsOf(source, options),
  };
}

function groupBlocks(blocks: Block[]): Block[][] {
  const groups: Block[][] = [];
  let begin = Number.NEGATIVE_INFINITY;
  for (const block of blocks) {
    if (startOf(block) - begin < SECTION_LENGTH) groups.at(-1)?.push(block);
    else {
      groups.push([block]);
      begin = startOf(block);
    }
  }
  return groups;
}

/** The last section ends with the source. */
async function renderSections(source: string, blocks: Block[], given: SectionOptions): Promise<Section[]> {
  const groups = groupBlocks(blocks);
  const begins = groups.map(([first]) => (first === undefined ? 0 : startOf(first)));
  const sections: Section[] = [];
  for (const [at, group] of groups.entries())
    sections.push(await renderSection(source.slice(begins[at], begins[at + 1]), group, given));
  return sections;
}

const startBefore = (source: string, [first]: Block[], from = 0): string =>
  first === undefined ? source : source.slice(0, from + startOf(first));

async function renderAnew(source: string, options: DraftOptions): Promise<Draft | null> {
  const tree = parseMarkdown(source);
  if (!isSeparable(tree)) return null;
  const sections = await renderSections(source, tree.children, { options, isDemoted: hasTopHeading(tree) });
  return { source, start: startBefore(source, tree.children), sections };
}

/** Renders the part in which the text differs from the draft; null if most of the text or what follows differs. */
async function renderChange(draft: Draft, source: string, options: DraftOptions): Promise<Draft | null> {
  const { sections } = draft;
  const lengthOf = (at: number): number => sections[at]?.source.length ?? 0;
  const { prefix, suffix } = commonEnds(draft.source, source);
  const isOtherText = prefix + suffix < source.length / 2;
  if (isOtherText || prefix < draft.start.length) return null;
  // The section in which the difference begins.
  let first = 0;
  let from = draft.start.length;
  for (; first < sections.length - 1 && from + lengthOf(first) < prefix; first++) from += lengthOf(first);
  // The section before it may join what follows.
  if (first > 0) {
    first -= 1;
    from -= lengthOf(first);
  }
  // The section with which the unchanged rest begins.
  let next = sections.length;
  let to = source.length;
  while (next > first + 2 && source.length - to + lengthOf(next - 1) < suffix) {
    next -= 1;
    to -= lengthOf(next);
  }
  const changed = source.slice(from, to + lengthOf(next));
  const tree = parseMarkdown(changed);
  if (!isSeparable(tree)) return null;
  const own = tree.children.filter((block) => endOf(block) <= to - from);
  const following = tree.children.filter((block) => startOf(block) >= to - from);
  const isRestSame = placesOf(following, to - from) === (sections[next]?.blocks ?? '');
  if (!isRestSame || own.length + following.length !== tree.children.length) return null;
  const isDemoted = hasTopHeading(tree) || sections.some((section) => section.hasTopHeading);
  const rendered = await renderSections(changed.slice(0, to - from), own, { options, isDemoted });
  const start = first === 0 ? startBefore(source, tree.children, from) : draft.start;
  return { source, start, sections: [...sections.slice(0, first), ...rendered, ...sections.slice(next)] };
}

/** Sections depend on the rest of the text only by whether it has a heading of the first level. */
async function renderStale({ sections }: Draft, options: DraftOptions): Promise<void> {
  const isDemoted = sections.some((section) => section.hasTopHeading);
  for (const [at, section] of sections.entries()) {
    const { source } = section;
    if (section.isDemoted === isDemoted && section.options === optionsOf(source, options)) continue;
    sections[at] = await renderSection(source, parseMarkdown(source).children, { options, isDemoted });
  }
}

const HEADING_ID = /(?<=<h[1-6] id=")[^"]+/g;

/** Makes the ids of headings unique, as in a text that is rendered as a whole. */
function assemble(sections: Section[]): { parts: string[]; toc: TocEntry[] } {
  const used = new Set<string>();
  const toc: TocEntry[] = [];
  const parts = sections.map((section, at) => {
    const renamed = new Map<string, string>();
    for (const [id] of section.html.matchAll(HEADING_ID)) {
      let free = id;
      for (let count = 1; used.has(free); count++) free = `${id}-${count}`;
      used.add(free);
      if (free !== id) renamed.set(id, free);
    }
    toc.push(...section.toc.map((entry) => ({ ...entry, id: renamed.get(entry.id) ?? entry.id })));
    const html =
      renamed.size === 0
        ? section.html
        : section.html.replace(
            /(<h[1-6] id="|href="#)([^"]+)/g,
            (_, start, id) => start + (renamed.get(id) ?? id),
          );
    return at === sections.length - 1 ? html : `${html}\n`;
  });
  return { parts, toc: toc.slice(0, MAX_TOC_ENTRIES) };
}

/** Groups begin at headings where they can, so that the groups after a change stay the same. */
function stringifyGroups(tree: Root): string[] {
  const size = Math.max(GROUP_NODES, (4 * tree.children.length) / MAX_PREVIEW_SECTIONS);
  const groups: Root['children'][] = [[]];
  for (const node of tree.children) {
    const group = groups.at(-1) ?? [];
    const isHeading = node.type === 'element' && /^h[1-6]$/.test(node.tagName);
    if (group.length < (isHeading ? size / 4 : size)) group.push(node);
    else groups.push([node]);
  }
  return groups.map((children) => stringifyTree({ type: 'root', children }));
}

const idOf = (html: string): string => createHash('sha256').update(html).digest('base64url').slice(0, 16);

function withIds(parts: string[], known: readonly string[] = []): RenderedDraft['sections'] {
  const knownIds = new Set(known);
  return parts.map((html) => {
    const id = idOf(html);
    return { id, html: knownIds.has(id) ? null : html };
  });
}

async function findDraft(source: string, options: DraftOptions): Promise<Draft | null> {
  for (const known of remembered) {
    const draft = await renderChange(known, source, options);
    if (draft !== null) {
      remembered.splice(remembered.indexOf(known), 1);
      return draft;
    }
  }
  return renderAnew(source, options);
}

/** Call it in the worker only, like `markdownToHtml`. */
export const draftToHtml = (markdown: string, options: DraftOptions): Promise<RenderedDraft> =>
  rejectDeepNesting(markdown, async () => {
    const source = markdown.toWellFormed();
    const length = countMarkdown(markdown);
    const draft = source.length < MIN_LENGTH ? null : await findDraft(source, options);
    if (draft === null) {
      const { html, toc, tree } = await renderTree(parseMarkdown(source), options);
      const parts = source.length < MIN_LENGTH ? [html] : stringifyGroups(tree);
      return {
        sections: withIds(parts, options.known),
        toc,
        summary: summarise(extractSummaryText(tree)),
        ...length,
      };
    }
    await renderStale(draft, options);
    remembered.unshift(draft);
    remembered.length = Math.min(remembered.length, MAX_REMEMBERED);
    const summary = summarise(
      draft.sections
        .map((section) => section.summaryText)
        .join('\n')
        .trim(),
    );
    const { parts, toc } = assemble(draft.sections);
    return { sections: withIds(parts, options.known), toc, summary, ...length };
  });
