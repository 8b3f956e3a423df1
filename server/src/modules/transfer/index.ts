export { openTransferLink } from './actions/fetch.ts';
export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
