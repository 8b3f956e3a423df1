export { applyAsExpert, decideApplication } from './actions.ts';
export { routes } from './routes.ts';
