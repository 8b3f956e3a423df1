export { post, postSql, removeDemoMoney } from './actions.ts';
export { findBalances, findProviderHoldings, lockEarnings } from './queries.ts';
export { entryKindsOfAccount, type LedgerLine } from './rules.ts';
