export { screenMarkdown, screenText } from './screening.ts';
