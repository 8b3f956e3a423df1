export { seedInfoPages, updateInfoPage } from './actions.ts';
export { routes } from './routes.ts';
