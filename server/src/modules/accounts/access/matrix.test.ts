import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall, isWrite } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createStaff, createStaffWithRole } from '../../../testing/staff.ts';

/** Makes every staff call as every kind of user. */
let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const guarded = calls.filter(isStaffCall);
const everything = [...new Set(guarded.map((call) => call.access))];
const nameOf = (call: Call) => `${call.method} ${call.path}`;
/** Returns the calls that these permissions allow. */
const callsAllowedBy = (permissions: readonly string[]) =>
  guarded.filter((call) => permissions.includes(call.access)).map(nameOf);

/** Access is checked before the input; this invalid input stops allowed calls before they change anything. */
const REFUSED = { requestId: 'x'.repeat(100) };

/** Returns the allowed calls and the error codes of the others. */
async function tryAllCalls(token?: string): Promise<{ open: string[]; refusals: Set<string | undefined> }> {
  const open: string[] = [];
  const refusals = new Set<string | undefined>();
  for (const call of guarded) {
    const response = await t.call(`${call.method} ${call.path}` as RouteName, REFUSED, { token });
    if (response.status === 401 || response.status === 403) refusals.add(response.errorCode);
    else {
      open.push(nameOf(call));
      if (isWrite(call)) expect([nameOf(call), response.status]).toEqual([nameOf(call), 422]);
    }
  }
  return { open, refusals };
}

async function listRolePermissions(roleId: string): Promise<string[]> {
  const { rows } = await t.app.services.pool.query<{ permission: string }>(
    'select permission from menus join role_menus on menu_id = id where role_id = $1 and permission is not null',
    [roleId],
  );
  return rows.map(({ permission }) => permission);
}

test('refuses all staff calls for users who are not staff', async () => {
  expect(await tryAllCalls()).toEqual({ open: [], refusals: new Set(['SIGN_IN_REQUIRED']) });
  const reader = await t.register();
  expect(await tryAllCalls(reader.token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
  const writer = await createWriter(t, '写作的人');
  expect(await tryAllCalls(writer.token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
});

test('allows all staff calls for the super administrator', async () => {
  expect(await tryAllCalls(admin)).toEqual({ open: callsAllowedBy(everything), refusals: new Set() });
});

test.each(['auditor', 'operator', 'finance'])('allows %s exactly the calls of its menus', async (code) => {
  const { token, roleId } = await createStaffWithRole(t, code);
  const own = await listRolePermissions(roleId);
  expect(callsAllowedBy(own).length).toBeGreaterThan(0);
  expect(callsAllowedBy(own).length).toBeLessThan(guarded.length);
  expect(await tryAllCalls(token)).toEqual({ open: callsAllowedBy(own), refusals: new Set(['FORBIDDEN']) });
});

test('allows nothing with a disabled role', async () => {
  const { token, roleId } = await createStaff(t, everything);
  expect(await tryAllCalls(token)).toEqual({ open: callsAllowedBy(everything), refusals: new Set() });
  await t.call('PUT core/sys/role/', { id: roleId, enabled: 0 }, { token: admin });
  expect(await tryAllCalls(token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
});

test('keeps access unchanged when menus are renamed, moved or hidden', async () => {
  const { token, roleId } = await createStaffWithRole(t, 'finance');
  const own = await listRolePermissions(roleId);
  const { data: group } = await t.call(
    'POST core/sys/menu/',
    { name: '杂项', kind: 'group' },
    { token: admin },
  );
  const { rows } = await t.app.services.pool.query<{ id: string }>(
    `select replace(id::text, '-', '') as id from menus where permission is not null and kind = 'screen'`,
  );
  for (const { id } of rows) {
    const edit = { id, name: '改了名', parentId: group.id, sort: 3, enabled: 0 };
    expect((await t.call('PUT core/sys/menu/', edit, { token: admin })).success).toBe(true);
  }
  expect(await tryAllCalls(token)).toEqual({ open: callsAllowedBy(own), refusals: new Set(['FORBIDDEN']) });
});

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
  minimum?: number;
  minItems?: number;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

/** Creates an input that fits the schema, with unknown ids. */
function sampleOf(schema: Schema): unknown {
  const [option] = schema.anyOf ?? schema.oneOf ?? [];
  if (option !== undefined) return sampleOf(option);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return Array(schema.minItems ?? 0).fill(sampleOf(schema.items ?? {}));
  if (schema.properties !== undefined)
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]),
    );
  return schema.pattern?.includes('32') ? 'a'.repeat(32) : '样例';
}

/** The test app checks the status and error code of every response against the contract. */
test('responds to every call as declared for visitors, readers, writers and staff, also for unknown ids', async () => {
  const tokens = {
    anyone: undefined,
    reader: (await t.register()).token,
    writer: (await createWriter(t, '问路的人')).token,
    staff: admin,
  };
  // Calls that end the session come last.
  const asked = calls
    .filter((call) => call.file === undefined)
    .toSorted((one, other) => Number(one.path.includes('account')) - Number(other.path.includes('account')));
  const given = new Set<string>();
  for (const call of asked) {
    const input = sampleOf(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema);
    for (const [who, token] of Object.entries(tokens)) {
      // The administrator must keep the role.
      if (who === 'staff' && !isStaffCall(call)) continue;
      const response = await t.call(nameOf(call) as RouteName, input as object, { token });
      given.add(response.success ? 'done' : String(response.status));
    }
  }
  expect([...given]).toEqual(expect.arrayContaining(['done', '200', '401', '403', '404', '422']));
});
