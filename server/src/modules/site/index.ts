export { seedInfoPages } from './actions.ts';
export { routes } from './routes.ts';
