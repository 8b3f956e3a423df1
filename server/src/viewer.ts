import type { Permission } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from './ctx.ts';

export function requireSignedIn(ctx: Ctx): Viewer {
  if (ctx.viewer === null) throw new CallError('SIGN_IN_REQUIRED');
  return ctx.viewer;
}

export const hasPermission = (viewer: Viewer | null, permission: Permission): boolean =>
  viewer !== null && (viewer.isSuper || viewer.permissions.includes(permission));
