export { listEnabledItems, seedDicts } from './actions.ts';
export { routes } from './routes.ts';
