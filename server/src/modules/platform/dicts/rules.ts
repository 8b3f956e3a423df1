import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../../../ctx.ts';
import { hasPermission } from '../../../viewer.ts';

/** Lists are not paginated, so their length is limited. */
export const MAX_DICTS = 200;
export const MAX_ITEMS_PER_DICT = 500;

export const canListAllDicts = (viewer: Viewer | null): boolean => hasPermission(viewer, 'dict:list');

export function requireListAllDicts(viewer: Viewer | null): void {
  if (viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  if (!canListAllDicts(viewer)) throw new CallError('FORBIDDEN');
}
