export type { TocEntry } from './headings.ts';
export { mathTags } from './math.ts';
export { listPictures, toPlainText } from './plain.ts';
export { countText, renderComment, renderEssay, renderMarkdown } from './render.ts';
export { textTags } from './schema.ts';
/** A page's text as elements. */
export * as tree from './tree.ts';
