import { countMarkdown, type TextLength } from '@mozhan/contract/word-count.ts';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { createCodeRenderer, languageOf, loadLanguages, type StoredDrawing } from './code-blocks.ts';
import { repairNesting } from './content-model.ts';
import { extractSummaryText, extractText, summarise } from './extract-text.ts';
import { addHeadingAnchors, buildToc, demoteHeadings, hasTopHeading, type TocEntry } from './headings.ts';
import { type MarkdownRoot, parseMarkdown } from './markdown.ts';
import { isMath, loadMath, renderMath } from './math.ts';
import { rejectDeepNesting } from './nesting-depth.ts';
import { makeOwnUrlsRelative, type Picture, renderPictures, replaceExternalPictures } from './pictures.ts';
import { extractPreview } from './preview.ts';
import { parseRawHtml } from './raw-html.ts';
import { sanitizeSchema } from './schema.ts';
import {
  labelCheckboxes,
  markExternalLinks,
  removeControlCharacters,
  renderCallouts,
  unnestLinks,
  wrapLatinText,
  wrapTables,
} from './transforms.ts';
import { elementsOf, type Root, replaceElements } from './tree.ts';

const toTree = unified()
  .use(remarkRehype, {
    allowDangerousHtml: true,
    footnoteLabel: '脚注',
    footnoteLabelProperties: {},
    footnoteBackLabel: (reference, again) => `回到引用 ${reference + 1}${again > 1 ? `-${again}` : ''}`,
    handlers: {
      // Like the default handler, but keeps the fence's meta string in a data attribute, which survives the HTML parser.
      code(_state, node: { lang?: string | null; meta?: string | null; value: string }) {
        const { lang, meta, value } = node;
        const code = {
          type: 'element' as const,
          tagName: 'code',
          properties: {
            ...(lang ? { className: [`language-${lang}`] } : {}),
            ...(meta ? { dataMeta: meta } : {}),
          },
          children: [{ type: 'text' as const, value: value ? `${value}\n` : '' }],
        };
        return { type: 'element' as const, tagName: 'pre', properties: {}, children: [code] };
      },
    },
  })
  .use(parseRawHtml)
  .use(rehypeSanitize, sanitizeSchema)
  .freeze();

const serializer = unified().use(rehypeStringify).freeze();
export const stringifyTree = (tree: Root): string => serializer.stringify(tree);

export interface Rendered {
  html: string;
  toc: TocEntry[];
}

export interface EssayText extends Rendered {
  /** Plain text for search and excerpts, one line per block. */
  text: string;
  summary: string;
}

export interface RenderedEssay extends EssayText, TextLength {
  hasMath: boolean;
  hasDiagrams: boolean;
  /** For readers without access to the full text; null if the essay is free. */
  preview: EssayText | null;
}

export interface EssayOptions {
  previewPercent: number | null;
  /** By URL, as `listPictures` returns them. */
  pictures: Record<string, Picture>;
  /** By hash of the diagram's source; a diagram without one is drawn by the reader's browser. */
  drawings?: Record<string, StoredDrawing>;
  /** Including the base path; URLs with this prefix are internal. */
  siteUrl?: string | null;
}

export interface RenderedTree extends Rendered {
  tree: Root;
  isDemoted: boolean;
  hasMath: boolean;
  hasDiagrams: boolean;
}

/** `toTree` includes the sanitiser: transforms after it may add only our own markup. */
export async function renderTree(
  markdown: MarkdownRoot,
  { pictures = {}, drawings = {}, siteUrl }: Partial<EssayOptions> = {},
  demote?: boolean,
): Promise<RenderedTree> {
  const tree = toTree.runSync(markdown);
  if (siteUrl) makeOwnUrlsRelative(tree, siteUrl);
  const isDemoted = demote ?? hasTopHeading(tree);
  if (isDemoted) demoteHeadings(tree);
  removeControlCharacters(tree);
  unnestLinks(tree);
  repairNesting(tree);
  replaceExternalPictures(tree);
  markExternalLinks(tree);
  labelCheckboxes(tree);
  renderCallouts(tree);
  renderPictures(tree, pictures);

  const hasMath = elementsOf(tree).some(isMath);
  if (hasMath) await loadMath();
  replaceElements(tree, renderMath);
  const languages = new Set(elementsOf(tree).flatMap((node) => languageOf(node) ?? []));
  const hasDiagrams = languages.delete('mermaid');
  if (languages.size > 0) await loadLanguages(languages);
  replaceElements(tree, createCodeRenderer(drawings));

  wrapTables(tree);
  wrapLatinText(tree);
  const toc = buildToc(tree);
  addHeadingAnchors(tree);
  return { tree, html: stringifyTree(tree), toc, isDemoted, hasMath, hasDiagrams };
}

/** Call it in the worker only: crafted texts take quadratic time. */
export const markdownToHtml = (markdown: string, siteUrl: string | null = null): Promise<Rendered> =>
  rejectDeepNesting(markdown, async () => {
    const { html, toc } = await renderTree(parseMarkdown(markdown), { siteUrl });
    return { html, toc };
  });

const toEssayText = ({ tree, html, toc }: RenderedTree): EssayText => ({
  html,
  toc,
  text: extractText(tree),
  summary: summarise(extractSummaryText(tree)),
});

/** Call it in the worker only, like `markdownToHtml`. */
export const essayToHtml = (
  markdown: string,
  { previewPercent, ...options }: EssayOptions,
): Promise<RenderedEssay> =>
  rejectDeepNesting(markdown, async () => {
    const parsed = parseMarkdown(markdown);
    const full = await renderTree(parsed, options);
    const preview =
      previewPercent === null
        ? null
        : await renderTree(extractPreview(parsed, previewPercent), options, full.isDemoted);
    return {
      ...toEssayText(full),
      ...countMarkdown(markdown),
      hasMath: full.hasMath,
      hasDiagrams: full.hasDiagrams,
      preview: preview && toEssayText(preview),
    };
  });
