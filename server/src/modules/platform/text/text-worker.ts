import { CallError } from '@mozhan/contract/errors.ts';
import { countMarkdown, type TextLength } from '@mozhan/contract/word-count.ts';
import { commentToHtml, type Mention, type RenderedComment } from './comment.ts';
import {
  type EssayOptions,
  essayToHtml,
  markdownToHtml,
  type Rendered,
  type RenderedEssay,
  rejectDeepNesting,
} from './pipeline.ts';

export interface TextJob {
  markdown: string;
  /** Set for an essay only. */
  essay?: EssayOptions;
  /** Set for a comment only. */
  comment?: { mentions: Mention[] };
  /** For comments and pages; essays have it in `essay`. */
  siteUrl?: string | null;
  countOnly?: boolean;
}

export type TextResult = Rendered | RenderedEssay | RenderedComment | TextLength;

/** `errorMessage` is shown to the writer. */
export type TextResponse = { rendered: TextResult } | { errorMessage: string };

async function run({ markdown, essay, comment, siteUrl, countOnly }: TextJob): Promise<TextResult> {
  if (countOnly) return countMarkdown(markdown);
  if (comment) return rejectDeepNesting(async () => commentToHtml(markdown, comment.mentions, siteUrl));
  return essay ? essayToHtml(markdown, essay) : markdownToHtml(markdown, siteUrl);
}

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default async function handleJob(job: TextJob): Promise<TextResponse> {
  try {
    return { rendered: await run(job) };
  } catch (error) {
    if (error instanceof CallError) return { errorMessage: error.message };
    throw error;
  }
}
