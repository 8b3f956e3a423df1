import { buildIfStale } from './builds.ts';
import { serve } from './serve.ts';

if (await buildIfStale('[2/3]')) await serve({ label: '[3/3]' });
else process.exitCode = 1;
