export { isLibraryCover } from './queries.ts';
