import type { Call, Scope } from '@mozhan/contract/define.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../ctx.ts';

const names: Record<Scope, string> = {
  'essay:read': '读文章',
  'essay:write': '写文章',
  'essay:submit': '提交与上下架',
  'upload:write': '上传',
};

const lacking = (scope: Scope) =>
  new CallError('TOKEN_SCOPE', { message: `这个 API 令牌没有「${names[scope]}」的权限（${scope}）` });

/**
 * As whom a call is answered: an API token is its owner only as far as its scopes reach, and a visitor wherever anyone
 * may read. Nothing else is open to it.
 */
export function viewerFor(viewer: Viewer | null, call: Call): Viewer | null {
  if (viewer?.scopes === undefined) return viewer;
  if (call.scope !== undefined && viewer.scopes.includes(call.scope)) return viewer;
  if (call.who === 'anyone' && call.method === 'GET') return null;
  if (call.scope !== undefined) throw lacking(call.scope);
  throw new CallError('TOKEN_SCOPE', { message: 'API 令牌不能调用这个接口，请登录后操作' });
}

/** For a call that does more than its own scope says, when it is asked for that. */
export function requireScope(viewer: Viewer, scope: Scope): void {
  if (viewer.scopes !== undefined && !viewer.scopes.includes(scope)) throw lacking(scope);
}

/** Who reads as a visitor for want of a scope is not helped by signing in. */
export const toTokenError = (error: unknown): unknown =>
  error instanceof CallError && error.code === 'SIGN_IN_REQUIRED'
    ? new CallError('TOKEN_SCOPE', { message: '这个 API 令牌没有所需的权限' })
    : error;
