export { getPriceRules } from './actions.ts';
export { routes } from './routes.ts';
