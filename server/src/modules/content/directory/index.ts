export { saveFarmer } from './actions/code-farmers.ts';
export { pickStar, rankStarsIfNeverRanked } from './actions/code-stars.ts';
export { applyAsExpert, decideApplication } from './actions/experts.ts';
