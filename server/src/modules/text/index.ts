export { renderMarkdown, toPlainText } from './pipeline.ts';
