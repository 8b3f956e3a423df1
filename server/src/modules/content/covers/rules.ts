import { invalid } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../ctx.ts';
import { holds } from '../../../viewer.ts';
import type { Cover } from './tables.ts';

/** Of a kind; lists come whole, so they end somewhere. */
export const MOST_COVERS = 200;

export const canSeeAll = (viewer: Viewer | null): boolean => holds(viewer, 'cover:list');

/** Its time has come, and is not over. */
export const isOnShow = ({ enabled, startsAt, endsAt }: Cover, now: Date): boolean =>
  enabled && (startsAt === null || startsAt <= now) && (endsAt === null || endsAt > now);

/** As it may be stored: only a banner leads somewhere and has its time. */
export function checked(cover: Cover): Cover {
  if (cover.kind === 'library') return { ...cover, link: '', startsAt: null, endsAt: null };
  const { startsAt, endsAt } = cover;
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    throw invalid('endsAt', '结束时间要晚于开始时间');
  return cover;
}
