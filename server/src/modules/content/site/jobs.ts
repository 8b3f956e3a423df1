import type { Jobs } from '../../../jobs.ts';
import { turnAnnouncements } from './actions/announcements.ts';

export const jobs: Jobs = { 'turn-announcements': turnAnnouncements };
