export { booking, post, removeDemoMoney } from './actions.ts';
export { findBalances, findHeld, lockEarnings } from './queries.ts';
export { kindsOf, type Line } from './rules.ts';
