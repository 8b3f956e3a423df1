export type { GivenDrawing } from './drawings.ts';
export type { TocEntry } from './headings.ts';
export { mathTags } from './math.ts';
export { listPictures, startOf, toPlainText } from './plain-text.ts';
export { findQuotes, findSentences } from './quote-threads.ts';
export type { Passage, QuoteTexts, Sentences } from './quotes.ts';
export {
  countMarkdownWords,
  renderComment,
  renderDraft,
  renderEssay,
  renderMarkdown,
  sanitizeDrawings,
} from './render.ts';
export * as tree from './tree.ts';
