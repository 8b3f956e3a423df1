import type { z } from 'zod';
import type { Permission } from './client.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Who may call: anyone, whoever is signed in, writers, or staff holding a permission, `noun:verb`. */
export type Who = 'anyone' | 'user' | 'writer' | StaffPermission;

type StaffPermission = `${string}:${string}`;

/** What an API token may be given, each for the calls that name it. */
export const scopes = ['essay:read', 'essay:write', 'essay:submit', 'upload:write'] as const;
export type Scope = (typeof scopes)[number];

/** `per` a window in seconds, at most `max` calls for each address and, when signed in, each account. */
export interface Limit {
  max: number;
  per: number;
}

/** Of a call that does not declare another. */
export const MAX_BODY = 64 * 1024;

export interface Call<
  M extends Method = Method,
  P extends string = string,
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  W extends Who = Who,
  S extends StaffPermission = StaffPermission,
> {
  method: M;
  /** Below `/api/`, e.g. `core/essay/{id}`; a trailing slash or none makes no difference to callers. */
  path: P;
  summary: string;
  who: W;
  /** Whoever may call does so for what is theirs; staff who hold one of these, for what is anybody's. */
  orStaff?: readonly S[];
  /** Open to an API token that holds it. Without one a token only reads what anyone may read, as anyone. */
  scope?: Scope;
  input: I;
  output: O;
  /** Codes beyond the ones every call may answer with. */
  errors?: readonly ErrorCode[];
  limit?: Limit;
  /** Carries a password or code: nothing of it is kept, so a `requestId` has no effect on it. */
  secret?: true;
  /** Asks by a body what others ask by an address: nothing changes, so nothing is logged or kept. */
  readOnly?: true;
  /** A multipart body with one file, handed to the action as `ctx.file`. */
  file?: { maxBytes: number };
  /** The largest body in bytes, where the fields may need more than `MAX_BODY`. */
  maxBody?: number;
}

export function defineCall<
  M extends Method,
  P extends string,
  I extends z.ZodType,
  O extends z.ZodType,
  W extends Who,
  const S extends StaffPermission = never,
>(call: Call<M, P, I, O, W, S>): Call<M, P, I, O, W, S> {
  return call;
}

export const nameOf = (call: Call): string => `${call.method} ${call.path}`;
export const isWrite = (call: Call): boolean => call.method !== 'GET' && call.readOnly !== true;
export const isStaffCall = <C extends Call>(call: C): call is C & { who: Permission } =>
  call.who.includes(':');

/** The permissions by which staff may make a call. */
export const permissionsOf = (call: Call): Permission[] =>
  [...(isStaffCall(call) ? [call.who] : []), ...(call.orStaff ?? [])] as Permission[];
