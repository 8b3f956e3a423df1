import type { Call, TokenScope } from '@mozhan/contract/define.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Viewer } from '../ctx.ts';

const scopeNames: Record<TokenScope, string> = {
  'essay:read': '读文章',
  'essay:write': '写文章',
  'essay:submit': '提交与上下架',
  'upload:write': '上传',
};

const missingScopeError = (scope: TokenScope) =>
  new CallError('TOKEN_SCOPE', { message: `这个 API 令牌没有「${scopeNames[scope]}」的权限（${scope}）` });

/**
 * Applies the scopes of an API token: it acts as its owner within its scopes and as a visitor for public reads; other calls
 * are rejected.
 */
export function limitViewerToScopes(viewer: Viewer | null, call: Call): Viewer | null {
  if (viewer?.scopes === undefined) return viewer;
  if (call.scope !== undefined && viewer.scopes.includes(call.scope)) return viewer;
  if (call.access === 'anyone' && call.method === 'GET') return null;
  if (call.scope !== undefined) throw missingScopeError(call.scope);
  throw new CallError('TOKEN_SCOPE', { message: 'API 令牌不能调用这个接口，请登录后操作' });
}

/** For calls that need another scope for some inputs. */
export function requireScope(viewer: Viewer, scope: TokenScope): void {
  if (viewer.scopes !== undefined && !viewer.scopes.includes(scope)) throw missingScopeError(scope);
}

/** Replaces SIGN_IN_REQUIRED for API tokens, which lack a scope rather than a session. */
export const toTokenError = (error: unknown): unknown =>
  error instanceof CallError && error.code === 'SIGN_IN_REQUIRED'
    ? new CallError('TOKEN_SCOPE', { message: '这个 API 令牌没有所需的权限' })
    : error;
