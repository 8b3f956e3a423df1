export { BANS_TAG } from './actions.ts';
export { type ActiveBan, createMatcher } from './matcher.ts';
export { listActiveBans } from './queries.ts';
