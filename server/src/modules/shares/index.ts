export { getPosterContent, releaseShares, shareEssay } from './actions.ts';
export { jobs, schedule } from './jobs.ts';
export { type Brand, drawPoster } from './poster.ts';
export { routes } from './routes.ts';
