export { withdraw } from './actions/wallet.ts';
export { removeWithdrawalsOf, sumWithdrawing } from './queries/wallet.ts';
