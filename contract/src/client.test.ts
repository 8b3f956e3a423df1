import { expect, expectTypeOf, test } from 'vitest';
import { calls } from './calls.ts';
import type { Permission } from './client.ts';
import { permissionsOf } from './define.ts';

/** Takes names as screens and modules write them, so that tsc checks them. */
const permissions = (...names: Permission[]): string[] => names;

test('a permission that a call declares can be named', () => {
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
  // @ts-expect-error who is signed in needs no permission
  permissions('user');
});
