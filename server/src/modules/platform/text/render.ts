import { availableParallelism } from 'node:os';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { countMarkdown, type TextLength } from '@mozhan/contract/word-count.ts';
import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreadQueue } from '../../../threads/threads.ts';
import type { Mention, RenderedComment } from './comment.ts';
import type { DraftOptions, RenderedDraft } from './draft.ts';
import type { GivenDrawing, SanitizedDrawing } from './drawings.ts';
import type { EssayOptions, Rendered, RenderedEssay } from './pipeline.ts';
import type { TextJob, TextResponse, TextResult } from './text-worker.ts';

const TOO_COMPLEX = '内容太复杂，无法排版，请简化后再试';

interface LaneOptions {
  maxWaiting: number;
  maxWaitingPerCaller: number;
  /** Longer than a regular text of maximum length takes on a busy machine. */
  timeoutMs: number;
  threads?: number;
}

const createLane = (options: LaneOptions) =>
  createThreadQueue<TextJob, TextResponse>({
    ...options,
    file: new URL('./text-worker.ts', import.meta.url),
    memoryMb: 256,
    idleMs: 5 * 60_000,
    busyMessage: '排版的人太多，请稍后再试',
  });

/** Separate queues, so that editor previews, comments and saves do not wait for published essays. */
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

/** A `CallError` comes from the queue; any other error means that the text crashed the thread. */
const toCallError = (error: unknown): CallError =>
  error instanceof CallError ? error : invalidField('content', TOO_COMPLEX);

async function render(caller: Caller, job: TextJob, { lane = 'publish' }: LaneOption): Promise<TextResult> {
  const response = await lanes[lane](caller, job).catch((error: unknown) => {
    throw toCallError(error);
  });
  if ('errorMessage' in response) throw invalidField(response.field, response.errorMessage);
  return response.rendered;
}

/** Renders untrusted Markdown to safe HTML in a worker thread. */
export const renderMarkdown = (
  caller: Caller,
  markdown: string,
  { siteUrl = null, ...options }: LaneOption & { siteUrl?: string | null } = {},
): Promise<Rendered> => render(caller, { markdown, siteUrl }, options) as Promise<Rendered>;

export const renderEssay = (
  caller: Caller,
  markdown: string,
  { lane, ...essay }: EssayOptions & LaneOption,
): Promise<RenderedEssay> =>
  render(caller, { markdown, essay }, lane === undefined ? {} : { lane }) as Promise<RenderedEssay>;

/** Renders a draft like an essay, and a changed one quickly. */
export const renderDraft = (caller: Caller, markdown: string, draft: DraftOptions): Promise<RenderedDraft> =>
  render(caller, { markdown, draft }, { lane: 'preview' }) as Promise<RenderedDraft>;

/** Renders the Markdown subset of comments and links the users in `mentions`. */
export const renderComment = (
  caller: Caller,
  markdown: string,
  mentions: Mention[],
  siteUrl: string | null = null,
): Promise<RenderedComment> =>
  render(caller, { markdown, siteUrl, comment: { mentions } }, { lane: 'small' }) as Promise<RenderedComment>;

/** Refuses drawings that contain anything but plain shapes and text. */
export const sanitizeDrawings = (caller: Caller, drawings: GivenDrawing[]): Promise<SanitizedDrawing[]> =>
  render(caller, { markdown: '', drawings }, {}) as Promise<SanitizedDrawing[]>;

/** Up to this length, counting takes milliseconds and needs no worker. */
const MAX_INLINE_LENGTH = 20_000;

/** Counts words as the editor does. */
export const countMarkdownWords = async (caller: Caller, markdown: string): Promise<TextLength> =>
  markdown.length <= MAX_INLINE_LENGTH
    ? countMarkdown(markdown)
    : ((await render(caller, { markdown, countOnly: true }, { lane: 'small' })) as TextLength);
