import type { Viewer } from '../../../ctx.ts';
import { requireValidPeriod } from '../../../display-period.ts';
import { hasPermission } from '../../../viewer.ts';
import type { Cover } from './tables.ts';

/** Per kind; limited because lists are not paged. */
export const MAX_COVERS = 200;

export const canSeeAll = (viewer: Viewer | null): boolean => hasPermission(viewer, 'cover:list');

/** Only banners have a summary, a link and a display period. */
export function normalizeCover(cover: Cover): Cover {
  if (cover.kind === 'library') return { ...cover, summary: '', link: '', startsAt: null, endsAt: null };
  requireValidPeriod(cover);
  return cover;
}
