import { availableParallelism } from 'node:os';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import { countMarkdown, type Length } from '@mozhan/contract/word-count.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreads } from '../../../threads/threads.ts';
import type { Mention, RenderedComment } from './comment.ts';
import type { EssayOptions, Rendered, RenderedEssay } from './pipeline.ts';
import type { TextAnswer, TextJob, TextResult } from './text-worker.ts';

const TOO_HARD = '内容太复杂，无法排版，请简化后再试';

interface LaneOptions {
  maxWaiting: number;
  maxWaitingPerCaller: number;
  /** Longer than any honest text of the greatest length takes, on a busy machine too. */
  timeoutMs: number;
  threads?: number;
}

const createLane = (options: LaneOptions) =>
  createThreads<TextJob, TextAnswer>({
    ...options,
    file: new URL('./text-worker.ts', import.meta.url),
    memoryMb: 256,
    idleMs: 5 * 60_000,
    busyMessage: '排版的人太多，请稍后再试',
  });

/** Who looks at a preview while writing, comments or saves does not wait for what others publish. */
const lanes = {
  publish: createLane({ maxWaiting: 30, maxWaitingPerCaller: 5, timeoutMs: 20_000 }),
  preview: createLane({
    maxWaiting: 30,
    maxWaitingPerCaller: 3,
    timeoutMs: 10_000,
    threads: Math.min(2, availableParallelism()),
  }),
  small: createLane({ maxWaiting: 300, maxWaitingPerCaller: 20, timeoutMs: 10_000 }),
};

interface LaneOption {
  lane?: keyof typeof lanes;
}

/** Whatever ends the thread is in the text; a refusal of the queue is not. */
const toRefusal = (error: unknown): CallError =>
  error instanceof CallError ? error : invalid('content', TOO_HARD);

async function render(caller: Caller, job: TextJob, { lane = 'publish' }: LaneOption): Promise<TextResult> {
  const answer = await lanes[lane](caller, job).catch((error: unknown) => {
    throw toRefusal(error);
  });
  if ('refused' in answer) throw invalid('content', answer.refused);
  return answer.rendered;
}

/** Safe HTML for a page, whoever wrote the text, and its headings. Made in a thread of its own: no request waits behind it. */
export const renderMarkdown = (
  caller: Caller,
  markdown: string,
  { siteUrl = null, ...options }: LaneOption & { siteUrl?: string | null } = {},
): Promise<Rendered> => render(caller, { markdown, siteUrl }, options) as Promise<Rendered>;

/** As `renderMarkdown`, with all that an essay's pages need. */
export const renderEssay = (
  caller: Caller,
  markdown: string,
  { lane, ...essay }: EssayOptions & LaneOption,
): Promise<RenderedEssay> =>
  render(caller, { markdown, essay }, lane === undefined ? {} : { lane }) as Promise<RenderedEssay>;

/** What somebody said in a few lines; whoever is named in it as one of `mentions` is linked to. */
export const renderComment = (
  caller: Caller,
  markdown: string,
  mentions: Mention[],
  siteUrl: string | null = null,
): Promise<RenderedComment> =>
  render(caller, { markdown, siteUrl, comment: { mentions } }, { lane: 'small' }) as Promise<RenderedComment>;

/** Counted here: at worst it takes a few milliseconds. */
const SHORT = 20_000;

/** How long a text is to its readers, as the editor counts it. */
export const countText = async (caller: Caller, markdown: string): Promise<Length> =>
  markdown.length <= SHORT
    ? countMarkdown(markdown)
    : ((await render(caller, { markdown, isOnlyCounted: true }, { lane: 'small' })) as Length);
