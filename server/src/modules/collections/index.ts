export { collectEssay, releaseCollections } from './actions/collect.ts';
export { createFolder } from './actions/folders.ts';
export { routes } from './routes.ts';
