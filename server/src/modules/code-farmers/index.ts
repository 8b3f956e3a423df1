export { saveFarmer } from './actions.ts';
export { routes } from './routes.ts';
