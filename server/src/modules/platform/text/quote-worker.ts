import {
  findQuotes,
  findSentences,
  type Passage,
  type QuoteJob,
  type QuoteTexts,
  type Sentences,
} from './quotes.ts';

export type QuoteTask = { quotes: QuoteJob } | { sentences: QuoteTexts };

export type QuoteResult = (Passage | null)[] | Sentences;

// biome-ignore lint/style/noDefaultExport: the thread pool calls the default export
export default function handleTask(task: QuoteTask): QuoteResult {
  return 'quotes' in task ? findQuotes(task.quotes) : findSentences(task.sentences);
}
