export { releaseLikes, write as writeLikes } from './actions.ts';
export { routes } from './routes.ts';
