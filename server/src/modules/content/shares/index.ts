export { releaseShares, shareEssay } from './actions.ts';
