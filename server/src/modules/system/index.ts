export { checkCounters } from './counters.ts';
export { routes } from './routes.ts';
