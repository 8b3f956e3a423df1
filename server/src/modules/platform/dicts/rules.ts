import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../ctx.ts';
import { holds } from '../../../viewer.ts';

/** Lists come whole, so they end somewhere. */
export const MOST_DICTS = 200;
export const MOST_ITEMS = 500;

export const canSeeAll = (viewer: Viewer | null): boolean => holds(viewer, 'dict:list');

export function requireSeeAll(viewer: Viewer | null): void {
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  if (!canSeeAll(viewer)) throw new CallError('FORBIDDEN');
}
