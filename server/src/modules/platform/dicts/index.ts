export { listEnabledItems, seedDicts } from './actions.ts';
