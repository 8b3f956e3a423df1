export { entryJson, lockUserAccounts, post, removeDemoMoney } from './actions.ts';
export { type EntryJson, findBalances, findProviderHoldings, lockEarnings } from './queries.ts';
export { entryKindsOfAccount, type LedgerLine } from './rules.ts';
