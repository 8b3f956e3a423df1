import type { Jobs } from '../../../jobs.ts';
import { rankStars } from './actions/code-stars.ts';

export const jobs: Jobs = { 'rank-stars': rankStars };
export const schedule = { 'rank-stars': '*/10 * * * *' };
