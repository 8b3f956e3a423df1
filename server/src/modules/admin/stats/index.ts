export { recountDays } from './actions.ts';
export { parseRange } from './rules.ts';
