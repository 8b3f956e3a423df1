export { openTransferLink } from './actions/fetch.ts';
export { openOwnData } from './actions/own-data.ts';
export { jobs, longJobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
