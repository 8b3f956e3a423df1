export { booking, post, removeDemoMoney } from './actions.ts';
export { findBalances, findHeld, lockEarnings } from './queries.ts';
export { routes } from './routes.ts';
export type { Line } from './rules.ts';
