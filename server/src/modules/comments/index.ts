export { releaseComments } from './actions/remove.ts';
export { routes } from './routes.ts';
