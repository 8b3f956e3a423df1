import type { Jobs } from '../../jobs.ts';
import { turnAnnouncements } from './actions.ts';

export const jobs: Jobs = { 'turn-announcements': turnAnnouncements };
