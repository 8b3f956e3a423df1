/** Loaded by `serve.ts`: directly in development, otherwise as the bundle that `server/vite.config.ts` creates. */
export { main, runFirstStart, runWorker } from '@mozhan/server/main.ts';
export { FIRST_START } from '@mozhan/server/workers.ts';
export { exitWithError } from './failure.ts';
