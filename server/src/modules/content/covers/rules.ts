import type { Viewer } from '../../../ctx.ts';
import { checkTimes } from '../../../showing.ts';
import { holds } from '../../../viewer.ts';
import type { Cover } from './tables.ts';

/** Of a kind; lists come whole, so they end somewhere. */
export const MOST_COVERS = 200;

export const canSeeAll = (viewer: Viewer | null): boolean => holds(viewer, 'cover:list');

/** As it may be stored: only a banner leads somewhere and has its time. */
export function checked(cover: Cover): Cover {
  if (cover.kind === 'library') return { ...cover, link: '', startsAt: null, endsAt: null };
  checkTimes(cover);
  return cover;
}
