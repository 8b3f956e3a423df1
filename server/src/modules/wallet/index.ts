export { withdraw } from './actions.ts';
export { removeWithdrawalsOf, sumWithdrawing } from './queries.ts';
export { routes } from './routes.ts';
