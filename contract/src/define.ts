import type { z } from 'zod';
import type { Permission } from './client.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anyone, signed-in users, writers, or staff with a permission (`noun:verb`). */
export type CallAccess = 'anyone' | 'user' | 'writer' | StaffPermission;

type StaffPermission = `${string}:${string}`;

/** Scopes of API tokens; each call names the scope it needs. */
export const tokenScopes = ['essay:read', 'essay:write', 'essay:submit', 'upload:write'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Features that operators can switch off, with all their calls. */
export type Feature = 'rewards' | 'letters' | 'chats';

/** At most `max` calls in a window of `per` seconds, for each IP address and each account. */
export interface RateLimit {
  max: number;
  per: number;
}

/** Default for calls without `maxBodyBytes`. */
export const MAX_BODY_BYTES = 64 * 1024;

export interface Call<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  W extends CallAccess = CallAccess,
  S extends StaffPermission = StaffPermission,
> {
  method: M;
  /** Relative to `/api/`, e.g. `core/essay/{id}`; the server ignores a trailing slash. */
  path: P;
  summary: string;
  access: W;
  /** Other callers may act only on their own objects; staff with one of these permissions on everybody's. */
  staffPermissions?: readonly S[];
  /** Scope that an API token needs. A call without it accepts tokens only for anonymous reads. */
  scope?: TokenScope;
  /** Refused while operators have switched this feature off. */
  feature?: Feature;
  input: I;
  output: O;
  /** Error codes in addition to those that every call may return. */
  errors?: readonly ErrorCode[];
  limit?: RateLimit;
  /** Contains a password or code: the response is not stored, so `requestId` has no effect. */
  secret?: true;
  /** Uses a body but changes nothing, so nothing is logged or stored. */
  readOnly?: true;
  /** A multipart body with one file, which the action gets as `ctx.file`. */
  file?: { maxBytes: number };
  /** Body limit, when the fields may need more than `MAX_BODY_BYTES`. */
  maxBodyBytes?: number;
}

export function defineCall<
  M extends Method,
  P extends string,
  I extends z.ZodType,
  O extends z.ZodType,
  W extends CallAccess,
  const S extends StaffPermission = never,
>(call: Call<M, P, I, O, W, S>): Call<M, P, I, O, W, S> {
  return call;
}

export const routeNameOf = (call: Call): string => `${call.method} ${call.path}`;
export const isWrite = (call: Call): boolean => call.method !== 'GET' && call.readOnly !== true;
export const isStaffCall = <C extends Call>(call: C): call is C & { access: Permission } =>
  call.access.includes(':');

export const permissionsOf = (call: Call): Permission[] =>
  [...(isStaffCall(call) ? [call.access] : []), ...(call.staffPermissions ?? [])] as Permission[];
