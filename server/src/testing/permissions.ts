import { calls } from '@mozhan/contract/calls.ts';
import type { Permission, RouteName } from '@mozhan/contract/client.ts';
import { isStaffCall } from '@mozhan/contract/define.ts';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { createStaff } from './staff.ts';

/** A staff call, the permission that it requires, and a valid input. */
type StaffCall = readonly [permission: Permission, route: RouteName, input: object];

const permissions = [...new Set(calls.filter(isStaffCall).map((call) => call.access))];

/**
 * Expects 401 for a visitor and 403 for a reader, for `others`, and for staff with every permission except the required
 * one.
 */
export async function expectPermissionRequired(
  t: TestApp,
  staffCalls: readonly StaffCall[],
  others: readonly { token: string }[] = [],
): Promise<void> {
  const reader = await t.register();
  for (const [permission, route, input] of staffCalls) {
    const staff = await createStaff(
      t,
      permissions.filter((each) => each !== permission),
    );
    expect(await t.call(route, input), route).toMatchObject({ status: 401, errorCode: 'SIGN_IN_REQUIRED' });
    for (const { token } of [reader, ...others, staff])
      expect(await t.call(route, input, { token }), route).toMatchObject({
        status: 403,
        errorCode: 'FORBIDDEN',
      });
  }
}
