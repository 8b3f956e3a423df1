export { releaseCollections } from './actions/collect.ts';
export { routes } from './routes.ts';
