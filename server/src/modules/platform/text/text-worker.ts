import { CallError } from '@mozhan/contract/errors.ts';
import { countMarkdown, type TextLength } from '@mozhan/contract/word-count.ts';
import { commentToHtml, type Mention, type RenderedComment } from './comment.ts';
import { type DraftOptions, draftToHtml, type RenderedDraft } from './draft.ts';
import { type GivenDrawing, type SanitizedDrawing, sanitizeDrawing } from './drawings.ts';
import { rejectDeepNesting } from './nesting-depth.ts';
import {
  type EssayOptions,
  essayToHtml,
  markdownToHtml,
  type Rendered,
  type RenderedEssay,
} from './pipeline.ts';

export interface TextJob {
  markdown: string;
  /** Set for an essay only. */
  essay?: EssayOptions;
  /** Set for a draft in the editor only. */
  draft?: DraftOptions;
  /** Set for a comment only. */
  comment?: { mentions: Mention[] };
  /** For comments and pages; essays have it in `essay`. */
  siteUrl?: string | null;
  countOnly?: boolean;
  /** Set to check drawings instead of rendering the Markdown. */
  drawings?: GivenDrawing[];
}

export type TextResult =
  | Rendered
  | RenderedDraft
  | RenderedEssay
  | RenderedComment
  | TextLength
  | SanitizedDrawing[];

/** `errorMessage` is shown to the writer. */
export type TextResponse = { rendered: TextResult } | { field: string; errorMessage: string };

async function run(job: TextJob): Promise<TextResult> {
  const { markdown, essay, draft, comment, siteUrl, countOnly, drawings } = job;
  if (drawings) return drawings.map(sanitizeDrawing);
  if (countOnly) return countMarkdown(markdown);
  if (comment)
    return rejectDeepNesting(markdown, async () => commentToHtml(markdown, comment.mentions, siteUrl));
  if (draft) return draftToHtml(markdown, draft);
  return essay ? essayToHtml(markdown, essay) : markdownToHtml(markdown, siteUrl);
}

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function handleJob(job: TextJob): Promise<TextResponse> {
  try {
    return { rendered: await run(job) };
  } catch (error) {
    if (error instanceof CallError) {
      const [field = 'content'] = Object.keys(error.fields ?? {});
      return { field, errorMessage: error.message };
    }
    throw error;
  }
}
