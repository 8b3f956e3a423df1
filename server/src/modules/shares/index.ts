export { releaseShares, shareEssay } from './actions.ts';
export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
export { servePosters } from './serve.ts';
