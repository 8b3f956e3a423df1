export { withdraw } from './actions/wallet.ts';
export { removeWithdrawalsOf, sumPendingWithdrawals } from './queries/wallet.ts';
