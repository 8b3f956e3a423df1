export type { TocEntry } from './headings.ts';
export { listPictures, toPlainText } from './plain.ts';
export { renderEssay, renderMarkdown } from './render.ts';
