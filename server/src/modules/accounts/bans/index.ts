export { BANS_TAG } from './actions.ts';
export { type LoadedBans, loadBans, noBans } from './load.ts';
