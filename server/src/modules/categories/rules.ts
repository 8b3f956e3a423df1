import type { Viewer } from '../../ctx.ts';

/** Whoever edits categories sees the disabled ones too. */
export const canSeeDisabled = (viewer: Viewer | null): boolean =>
  viewer !== null && (viewer.isSuper || viewer.permissions.includes('category:update'));
