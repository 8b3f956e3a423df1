/** What `serve.ts` runs: these sources while developing, otherwise the few files that `server/vite.config.ts` makes of them. */
export { FIRST_START, firstStart, main, work } from '@mozhan/server/main.ts';
export { fail } from './failure.ts';
