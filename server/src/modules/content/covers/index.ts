export { createBanner, removeCoversOf } from './actions.ts';
export { isLibraryCover } from './queries.ts';
