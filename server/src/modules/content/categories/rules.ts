import type { Viewer } from '../../../ctx.ts';
import { hasPermission } from '../../../viewer.ts';

export const canSeeDisabled = (viewer: Viewer | null): boolean => hasPermission(viewer, 'category:update');
