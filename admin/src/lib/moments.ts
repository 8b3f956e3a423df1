import type { Cover } from '@mozhan/contract/covers.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { formatDateTime } from '#admin/lib/format.ts';

/** The site's clock, wherever the operator is. */
const OFFSET = '+08:00';

/** As the browser's field for date and time has it. */
export const toField = (iso: string | null): string =>
  iso === null ? '' : formatDateTime(iso).slice(0, 16).replace(' ', 'T');

export const fromField = (text: string): string | null =>
  text === '' ? null : new Date(`${text.slice(0, 16)}:00${OFFSET}`).toISOString();

const shown = (iso: string | null): string => (iso === null ? '' : formatDateTime(iso).slice(0, 16));

/** When a banner is to be seen. */
export function spanOf({ startsAt, endsAt }: Pick<Cover, 'startsAt' | 'endsAt'>): string {
  if (startsAt === null && endsAt === null) return '一直';
  if (endsAt === null) return `${shown(startsAt)} 起`;
  return startsAt === null ? `到 ${shown(endsAt)}` : `${shown(startsAt)} 到 ${shown(endsAt)}`;
}

/** Whether readers see it now. */
export function stateOf(cover: Pick<Cover, 'enabled' | 'startsAt' | 'endsAt'>, now: Date): string {
  if (cover.enabled === FLAG.off) return '停用';
  if (cover.startsAt !== null && new Date(cover.startsAt) > now) return '未开始';
  return cover.endsAt !== null && new Date(cover.endsAt) <= now ? '已结束' : '展示中';
}
