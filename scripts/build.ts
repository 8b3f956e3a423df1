import { buildStale } from './builds.ts';

if (!(await buildStale('[2/2]'))) process.exitCode = 1;
