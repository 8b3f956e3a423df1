export type { TocEntry } from './headings.ts';
export { listPictures, toPlainText } from './plain.ts';
export { renderComment, renderEssay, renderMarkdown } from './render.ts';
