export { releaseLikes } from './actions.ts';
export { routes } from './routes.ts';
