export type { TocEntry } from './headings.ts';
export type { Picture } from './pictures.ts';
export type { EssayText, RenderedEssay } from './pipeline.ts';
export { listPictures, toPlainText } from './plain.ts';
export { renderEssay, renderMarkdown } from './render.ts';
