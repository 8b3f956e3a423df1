export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
export { serveDownloads } from './serve.ts';
