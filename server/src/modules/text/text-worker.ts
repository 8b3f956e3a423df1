import { parentPort } from 'node:worker_threads';
import { CallError } from '#contract/errors.ts';
import { type EssayOptions, layOut, layOutEssay, type Rendered, type RenderedEssay } from './pipeline.ts';

export interface TextJob {
  markdown: string;
  /** Of an essay; other texts have none. */
  essay?: EssayOptions;
}

/** `refused`: a sentence for the writer. */
export type TextAnswer = { rendered: Rendered | RenderedEssay } | { refused: string };

async function answer({ markdown, essay }: TextJob): Promise<TextAnswer> {
  try {
    return { rendered: await (essay ? layOutEssay(markdown, essay) : layOut(markdown)) };
  } catch (error) {
    if (error instanceof CallError) return { refused: error.message };
    throw error;
  }
}

parentPort?.on('message', async (job: TextJob) => parentPort?.postMessage(await answer(job)));
