export { withdraw } from './actions.ts';
export { removeWithdrawalsOf } from './queries.ts';
export { routes } from './routes.ts';
