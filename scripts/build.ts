import { buildIfStale } from './builds.ts';

if (!(await buildIfStale('[2/2]'))) process.exitCode = 1;
