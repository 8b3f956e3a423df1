import type { Jobs } from '../../../jobs.ts';
import { mergeNewWords, refreshSearch } from './actions/refresh.ts';

export const jobs: Jobs = { 'search-words': mergeNewWords, 'search-refresh': refreshSearch };
export const schedule = { 'search-words': '* * * * *', 'search-refresh': '17 * * * *' };
