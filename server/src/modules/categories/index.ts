export { listEnabled as listEnabledCategories, seedCategories } from './actions.ts';
export { routes } from './routes.ts';
