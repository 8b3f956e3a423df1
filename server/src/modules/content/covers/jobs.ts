import type { Jobs } from '../../../jobs.ts';
import { invalidateBanners } from './actions.ts';

export const jobs: Jobs = { 'turn-banners': invalidateBanners };
