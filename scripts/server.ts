/** Loaded by `serve.ts`: directly in development, otherwise as the bundle that `server/vite.config.ts` creates. */
export { FIRST_START, main, runFirstStart, runWorker } from '@mozhan/server/main.ts';
export { exitWithError } from './failure.ts';
