import { Worker } from 'node:worker_threads';
import { CallError, invalid } from '#contract/errors.ts';
import type { Mention, RenderedComment } from './comment.ts';
import type { EssayOptions, Rendered, RenderedEssay } from './pipeline.ts';
import type { TextAnswer, TextJob, TextResult } from './text-worker.ts';

const MEMORY_MB = 256;
const TOO_HARD = '内容太复杂，无法排版，请简化后再试';

interface Lane {
  /** As many may wait behind the one that is laid out. */
  most: number;
  /** Longer than any honest text of the greatest length takes, on a busy machine too. */
  patienceMs: number;
  worker?: Worker | undefined;
  /** Settled with the job before: one text at a time. */
  turn: Promise<unknown>;
  /** Texts that have not been answered. */
  open: number;
}

/** Who looks at a preview while writing, or comments, does not wait for what others publish. */
const lanes = {
  publish: { most: 30, patienceMs: 20_000, turn: Promise.resolve(), open: 0 } as Lane,
  preview: { most: 30, patienceMs: 10_000, turn: Promise.resolve(), open: 0 } as Lane,
  comment: { most: 300, patienceMs: 10_000, turn: Promise.resolve(), open: 0 } as Lane,
};

interface LaneOption {
  lane?: keyof typeof lanes;
}

function startWorker(): Worker {
  const started = new Worker(new URL('./text-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // Waiting for the next text is no reason to stay alive.
  started.unref();
  return started;
}

/** A worker that takes too long or runs out of memory is ended, and the next text gets a new one. */
function ask(lane: Lane, job: TextJob): Promise<TextResult> {
  lane.worker ??= startWorker();
  const current = lane.worker;
  return new Promise((resolve, reject) => {
    function settle(): void {
      clearTimeout(timer);
      current.off('error', giveUp).off('message', take);
    }
    function giveUp(): void {
      settle();
      lane.worker = undefined;
      void current.terminate();
      reject(invalid('content', TOO_HARD));
    }
    function take(answer: TextAnswer): void {
      settle();
      if ('rendered' in answer) resolve(answer.rendered);
      else reject(invalid('content', answer.refused));
    }
    const timer = setTimeout(giveUp, lane.patienceMs);
    current.on('error', giveUp).on('message', take);
    current.postMessage(job);
  });
}

async function render(job: TextJob, option: LaneOption): Promise<TextResult> {
  const lane = lanes[option.lane ?? 'publish'];
  if (lane.open > lane.most)
    throw new CallError('UNAVAILABLE', { message: '排版的人太多，请稍后再试', retryAfter: 10 });
  lane.open += 1;
  const answer = lane.turn
    .then(() => ask(lane, job))
    .finally(() => {
      lane.open -= 1;
    });
  lane.turn = answer.catch(() => {});
  return answer;
}

/** Safe HTML for a page, whoever wrote the text, and its headings. Made in a thread of its own: no request waits behind it. */
export const renderMarkdown = (markdown: string, options: LaneOption = {}): Promise<Rendered> =>
  render({ markdown }, options) as Promise<Rendered>;

/** As `renderMarkdown`, with all that an essay's pages need. */
export const renderEssay = (
  markdown: string,
  { lane, ...essay }: EssayOptions & LaneOption,
): Promise<RenderedEssay> =>
  render({ markdown, essay }, lane === undefined ? {} : { lane }) as Promise<RenderedEssay>;

/** What somebody said in a few lines; whoever is named in it as one of `mentions` is linked to. */
export const renderComment = (markdown: string, mentions: Mention[]): Promise<RenderedComment> =>
  render({ markdown, comment: { mentions } }, { lane: 'comment' }) as Promise<RenderedComment>;
