export { jobs, longJobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
export { serveTransfers } from './serve.ts';
