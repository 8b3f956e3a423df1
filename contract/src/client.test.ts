import { expect, expectTypeOf, test } from 'vitest';
import { calls } from './calls.ts';
import type { Permission } from './client.ts';
import { permissionsOf } from './define.ts';

/** Lets tsc check the permission names. */
const permissions = (...names: Permission[]): string[] => names;

test('every permission name that compiles is declared by a call', () => {
  const declared = new Set<string>(calls.flatMap(permissionsOf));
  for (const name of permissions('user:list', 'essay:audit', 'essay:remove'))
    expect(declared.has(name)).toBe(true);
});

test('a permission that no call declares does not compile', () => {
  expectTypeOf<string>().not.toExtend<Permission>();
  expectTypeOf<`user:${string}`>().not.toExtend<Permission>();
  expectTypeOf<'user' | 'writer' | 'anyone'>().not.toExtend<Permission>();
  // @ts-expect-error a typing error in the verb
  permissions('user:lst');
  // @ts-expect-error a typing error in the noun
  permissions('usr:list');
  // @ts-expect-error `user` is an access level, not a permission
  permissions('user');
});
