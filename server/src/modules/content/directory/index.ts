export { saveFarmer } from './actions/code-farmers.ts';
export { pickStar, rankFirstStars } from './actions/code-stars.ts';
export { applyAsExpert, decideApplication } from './actions/experts.ts';
