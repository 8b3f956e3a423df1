export { notify, pushUnread } from './actions.ts';
export { routes } from './routes.ts';
