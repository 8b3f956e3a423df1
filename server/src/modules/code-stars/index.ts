export { pickStar, rankFirstStars } from './actions.ts';
export { jobs, schedule } from './jobs.ts';
export { routes } from './routes.ts';
