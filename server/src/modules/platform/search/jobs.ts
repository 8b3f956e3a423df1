import type { Jobs } from '../../../jobs.ts';
import { foldNewWords, refreshSearch } from './actions/refresh.ts';

export const jobs: Jobs = { 'search-words': foldNewWords, 'search-refresh': refreshSearch };
export const schedule = { 'search-words': '* * * * *', 'search-refresh': '17 * * * *' };
