import type { Jobs } from '../../../jobs.ts';
import { turnBanners } from './actions.ts';

export const jobs: Jobs = { 'turn-banners': turnBanners };
