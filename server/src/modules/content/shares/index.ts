export { purgeShares, shareEssay } from './actions.ts';
