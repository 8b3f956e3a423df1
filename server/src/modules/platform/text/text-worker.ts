import { CallError } from '@mozhan/contract/errors.ts';
import { countMarkdown, type Length } from '@mozhan/contract/word-count.ts';
import { layOutComment, type Mention, type RenderedComment } from './comment.ts';
import {
  type EssayOptions,
  layOut,
  layOutEssay,
  type Rendered,
  type RenderedEssay,
  refuseDepth,
} from './pipeline.ts';

export interface TextJob {
  markdown: string;
  /** Of an essay; other texts have none. */
  essay?: EssayOptions;
  /** Of a comment. */
  comment?: { mentions: Mention[] };
  /** Of a comment or a page, as of an essay. */
  siteUrl?: string | null;
  /** Its words are counted, and nothing is laid out. */
  isOnlyCounted?: boolean;
}

export type TextResult = Rendered | RenderedEssay | RenderedComment | Length;

/** `refused`: a sentence for the writer. */
export type TextAnswer = { rendered: TextResult } | { refused: string };

async function run({ markdown, essay, comment, siteUrl, isOnlyCounted }: TextJob): Promise<TextResult> {
  if (isOnlyCounted) return countMarkdown(markdown);
  if (comment) return refuseDepth(async () => layOutComment(markdown, comment.mentions, siteUrl));
  return essay ? layOutEssay(markdown, essay) : layOut(markdown, siteUrl);
}

// biome-ignore lint/style/noDefaultExport: what the thread pool calls
export default async function answer(job: TextJob): Promise<TextAnswer> {
  try {
    return { rendered: await run(job) };
  } catch (error) {
    if (error instanceof CallError) return { refused: error.message };
    throw error;
  }
}
