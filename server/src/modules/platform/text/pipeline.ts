import { invalid } from '@mozhan/contract/errors.ts';
import { countMarkdown, type Length } from '@mozhan/contract/word-count.ts';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { codeLayouter, languageOf, loadLanguages } from './code.ts';
import { repairNesting } from './content-model.ts';
import { addAnchors, hasTopHeading, listHeadings, lowerHeadings, type TocEntry } from './headings.ts';
import { type MarkdownRoot, parseMarkdown } from './markdown.ts';
import {
  dropControls,
  layOutCallouts,
  markForeignLinks,
  markLatin,
  nameCheckboxes,
  unnestLinks,
  wrapTables,
} from './marks.ts';
import { isMath, layOutMath, loadMath } from './math.ts';
import { layOutPictures, linkForeignPictures, type Picture, shortenOwnAddresses } from './pictures.ts';
import { cutPreview } from './preview.ts';
import { parseHtml } from './raw-html.ts';
import { schema } from './schema.ts';
import { elementsOf, type Root, replaceElements } from './tree.ts';
import { plainText, summarise } from './words.ts';

const toTree = unified()
  .use(remarkRehype, {
    allowDangerousHtml: true,
    footnoteLabel: '脚注',
    footnoteLabelProperties: {},
    footnoteBackLabel: (reference, again) => `回到引用 ${reference + 1}${again > 1 ? `-${again}` : ''}`,
    handlers: {
      // As usual, with what follows the language kept where the HTML parser leaves it.
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
  .use(parseHtml)
  .use(rehypeSanitize, schema)
  .freeze();

const writer = unified().use(rehypeStringify).freeze();

export interface Rendered {
  html: string;
  /** Headings of the second and third level. */
  toc: TocEntry[];
}

export interface EssayText extends Rendered {
  /** Its words, a line for each block: for search and excerpts. */
  text: string;
  /** The first sentences. */
  summary: string;
}

export interface RenderedEssay extends EssayText, Length {
  hasMath: boolean;
  hasDiagrams: boolean;
  /** What one sees who may not read all; made of the beginning alone. Null where all may be read. */
  preview: EssayText | null;
}

export interface EssayOptions {
  previewPercent: number | null;
  /** By their addresses, as `listPictures` gives them. */
  pictures: Record<string, Picture>;
  /** Of this site, base path included: what begins with it is no other host. */
  siteUrl?: string | null;
}

interface Composed extends Rendered {
  tree: Root;
  isLowered: boolean;
  hasMath: boolean;
  hasDiagrams: boolean;
}

/** All that people wrote passes the sanitiser first; what comes after is our own work. */
async function compose(
  markdown: MarkdownRoot,
  { pictures = {}, siteUrl }: Partial<EssayOptions> = {},
  lowered?: boolean,
): Promise<Composed> {
  const tree = toTree.runSync(markdown);
  if (siteUrl) shortenOwnAddresses(tree, siteUrl);
  const isLowered = lowered ?? hasTopHeading(tree);
  if (isLowered) lowerHeadings(tree);
  dropControls(tree);
  unnestLinks(tree);
  repairNesting(tree);
  linkForeignPictures(tree);
  markForeignLinks(tree);
  nameCheckboxes(tree);
  layOutCallouts(tree);
  layOutPictures(tree, pictures);

  const hasMath = elementsOf(tree).some(isMath);
  if (hasMath) await loadMath();
  replaceElements(tree, layOutMath);
  const languages = new Set(elementsOf(tree).flatMap((node) => languageOf(node) ?? []));
  const hasDiagrams = languages.delete('mermaid');
  if (languages.size > 0) await loadLanguages(languages);
  replaceElements(tree, codeLayouter());

  wrapTables(tree);
  markLatin(tree);
  const toc = listHeadings(tree);
  addAnchors(tree);
  return { tree, html: writer.stringify(tree), toc, isLowered, hasMath, hasDiagrams };
}

/** Thousands of quotes or lists inside each other exhaust the stack. */
export async function refuseDepth<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw invalid('content', '内容的层次太深，无法排版');
    throw error;
  }
}

/** For the worker: some texts take a time that grows with the square of their length. */
export const layOut = (markdown: string, siteUrl: string | null = null): Promise<Rendered> =>
  refuseDepth(async () => {
    const { html, toc } = await compose(parseMarkdown(markdown), { siteUrl });
    return { html, toc };
  });

const toEssayText = ({ tree, html, toc }: Composed): EssayText => ({
  html,
  toc,
  text: plainText(tree),
  summary: summarise(tree),
});

/** For the worker, as `layOut`. */
export const layOutEssay = (
  markdown: string,
  { previewPercent, ...options }: EssayOptions,
): Promise<RenderedEssay> =>
  refuseDepth(async () => {
    const parsed = parseMarkdown(markdown);
    const whole = await compose(parsed, options);
    const preview =
      previewPercent === null
        ? null
        : await compose(cutPreview(parsed, previewPercent), options, whole.isLowered);
    return {
      ...toEssayText(whole),
      ...countMarkdown(markdown),
      hasMath: whole.hasMath,
      hasDiagrams: whole.hasDiagrams,
      preview: preview && toEssayText(preview),
    };
  });
