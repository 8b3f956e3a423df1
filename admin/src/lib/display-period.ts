import type { Cover } from '@mozhan/contract/covers.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { formatDateTime } from '#admin/lib/format.ts';

/** The site's time zone. */
const OFFSET = '+08:00';

/** Value of a `datetime-local` input. */
export const toDateTimeField = (iso: string | null): string =>
  iso === null ? '' : formatDateTime(iso).slice(0, 16).replace(' ', 'T');

export const fromDateTimeField = (text: string): string | null =>
  text === '' ? null : new Date(`${text.slice(0, 16)}:00${OFFSET}`).toISOString();

const toMinute = (iso: string | null): string => (iso === null ? '' : formatDateTime(iso).slice(0, 16));

export function formatPeriod({ startsAt, endsAt }: Pick<Cover, 'startsAt' | 'endsAt'>): string {
  if (startsAt === null && endsAt === null) return '一直';
  if (endsAt === null) return `${toMinute(startsAt)} 起`;
  return startsAt === null ? `到 ${toMinute(endsAt)}` : `${toMinute(startsAt)} 到 ${toMinute(endsAt)}`;
}

export function displayState(cover: Pick<Cover, 'enabled' | 'startsAt' | 'endsAt'>, now: Date): string {
  if (cover.enabled === FLAG.off) return '停用';
  if (cover.startsAt !== null && new Date(cover.startsAt) > now) return '未开始';
  return cover.endsAt !== null && new Date(cover.endsAt) <= now ? '已结束' : '展示中';
}
