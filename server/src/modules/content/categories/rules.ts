import type { Viewer } from '../../../ctx.ts';
import { holds } from '../../../viewer.ts';

/** Whoever edits categories sees the disabled ones too. */
export const canSeeDisabled = (viewer: Viewer | null): boolean => holds(viewer, 'category:update');
