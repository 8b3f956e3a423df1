import type { GaugeGroup } from '../../../metrics.ts';
import { type Gauges, readGauges } from './queries/gauges.ts';

const helpTexts: Record<keyof Gauges, string> = {
  jobs_waiting: 'Jobs that wait for their time or for a free process, at most 10000',
  jobs_failed: 'Jobs that failed for good, at most 10000',
  jobs_oldest_seconds: 'How long the oldest due job has waited',
  mails_waiting: 'Mails that have not been sent yet, at most 10000',
  backup_last_success_timestamp_seconds: 'When the last complete backup was finished; 0 if there is none',
  audit_essays_waiting: 'Essays that wait for their audit, at most 10000',
  audit_comments_waiting: 'Comments that are held for review, at most 10000',
  audit_oldest_seconds: 'How long the oldest essay has waited for its audit',
};

export const gauges: GaugeGroup = {
  gauges: helpTexts,
  read: ({ db, now }) => readGauges(db, now),
};
