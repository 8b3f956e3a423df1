export { checkCounters } from './counters.ts';
export { checkLedger } from './ledger.ts';
