import { calls } from '@mozhan/contract/calls.ts';
import type { Permission, RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { makeStaff } from './staff.ts';

/** A call of staff, the permission it needs, and an input that it would accept. */
type StaffCall = readonly [permission: Permission, route: RouteName, input: object];

const declared: readonly Call[] = calls;
const permissions = [...new Set(declared.filter(isStaffCall).map((call) => call.who))];

/**
 * Makes each call as a visitor, who must sign in, and as those who are forbidden it: a reader, `others`, and staff with
 * every permission but the one it needs.
 */
export async function expectPermissionRequired(
  t: TestApp,
  staffCalls: readonly StaffCall[],
  others: readonly { token: string }[] = [],
): Promise<void> {
  const reader = await t.register();
  for (const [permission, route, input] of staffCalls) {
    const staff = await makeStaff(
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
