import { parentPort } from 'node:worker_threads';
import { CallError } from '#contract/errors.ts';
import { layOut, type Rendered } from './pipeline.ts';

/** `refused`: a sentence for the writer. */
export type TextAnswer = { rendered: Rendered } | { refused: string };

function answer(markdown: string): TextAnswer {
  try {
    return { rendered: layOut(markdown) };
  } catch (error) {
    if (error instanceof CallError) return { refused: error.message };
    throw error;
  }
}

parentPort?.on('message', (markdown: string) => parentPort?.postMessage(answer(markdown)));
