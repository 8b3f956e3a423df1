import type { Jobs } from '../../../jobs.ts';
import { invalidateAnnouncements } from './actions/announcements.ts';

export const jobs: Jobs = { 'turn-announcements': invalidateAnnouncements };
