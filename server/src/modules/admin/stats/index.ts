export { recountDays } from './actions.ts';
