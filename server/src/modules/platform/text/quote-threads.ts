import type { Caller } from '../../../threads/fair-queue.ts';
import { createThreadQueue } from '../../../threads/threads.ts';
import type { QuoteResult, QuoteTask } from './quote-worker.ts';
import {
  findQuotes as findQuotesInline,
  findSentences as findSentencesInline,
  type Passage,
  type QuoteJob,
  type QuoteTexts,
  type Sentences,
} from './quotes.ts';

const run = createThreadQueue<QuoteTask, QuoteResult>({
  file: new URL('./quote-worker.ts', import.meta.url),
  memoryMb: 256,
  idleMs: 60_000,
  maxWaiting: 100,
  maxWaitingPerCaller: 10,
  timeoutMs: 20_000,
  busyMessage: '划线的人太多，请稍后再试',
});

/** Up to this length, also a text of one-letter paragraphs takes only a few milliseconds and needs no thread. */
const MAX_INLINE_LENGTH = 20_000;

const lengthOf = ({ html, publicHtml }: QuoteTexts): number => html.length + (publicHtml?.length ?? 0);

/** Finds passages in rendered HTML; null for one that is gone. Long texts and many passages go to a thread. */
export const findQuotes = async (caller: Caller, job: QuoteJob): Promise<(Passage | null)[]> =>
  job.quotes.length <= 1 && !job.allowSimilar && lengthOf(job) <= MAX_INLINE_LENGTH
    ? findQuotesInline(job)
    : ((await run(caller, { quotes: job })) as (Passage | null)[]);

export const findSentences = async (caller: Caller, texts: QuoteTexts): Promise<Sentences> =>
  lengthOf(texts) <= MAX_INLINE_LENGTH
    ? findSentencesInline(texts)
    : ((await run(caller, { sentences: texts })) as Sentences);
