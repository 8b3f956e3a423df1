export { toPlainText } from './pipeline.ts';
export { renderMarkdown } from './render.ts';
