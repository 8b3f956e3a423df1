export { jobs } from './jobs.ts';
export { isLibraryCover } from './queries.ts';
export { routes } from './routes.ts';
