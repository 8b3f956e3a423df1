export { routes } from './routes.ts';
export { screenMarkdown, screenText } from './screening.ts';
