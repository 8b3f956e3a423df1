import { invalid } from '@mozhan/contract/errors.ts';
import type { AnnouncementRow } from '../tables.ts';

/** The list comes whole, so it ends somewhere. */
export const MOST_ANNOUNCEMENTS = 200;
/** Above a list there is room for few. */
export const MOST_SHOWN = 3;

/** Its time has come, and is not over. */
export const isCurrent = ({ enabled, startsAt, endsAt }: AnnouncementRow, now: Date): boolean =>
  enabled && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now);

export function checked(announcement: AnnouncementRow): AnnouncementRow {
  const { startsAt, endsAt } = announcement;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', '结束时间要晚于开始时间');
  return announcement;
}
