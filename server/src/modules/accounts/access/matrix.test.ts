import { calls } from '@mozhan/contract/calls.ts';
import type { RouteName } from '@mozhan/contract/client.ts';
import { type Call, isStaffCall, isWrite } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { makeWriter } from '../../../testing/essays.ts';
import { makeMember, makeStaff } from '../../../testing/staff.ts';

/** Every call of staff, made by everyone there is. */
let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp();
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

const declared: readonly Call[] = calls;
const guarded = declared.filter(isStaffCall);
const everything = [...new Set(guarded.map((call) => call.who))];
const nameOf = (call: Call) => `${call.method} ${call.path}`;
/** The calls that these permissions open. */
const doors = (permissions: readonly string[]) =>
  guarded.filter((call) => permissions.includes(call.who)).map(nameOf);

/** Who may is asked before anything else; what may be done is refused by this, so that nothing is. */
const REFUSED = { requestId: 'x'.repeat(100) };

/** Which of the calls somebody gets past the door of, and how the others are refused. */
async function knock(token?: string): Promise<{ open: string[]; refusals: Set<string | undefined> }> {
  const open: string[] = [];
  const refusals = new Set<string | undefined>();
  for (const call of guarded) {
    const answer = await t.call(`${call.method} ${call.path}` as RouteName, REFUSED, { token });
    if (answer.status === 401 || answer.status === 403) refusals.add(answer.errorCode);
    else {
      open.push(nameOf(call));
      if (isWrite(call)) expect([nameOf(call), answer.status]).toEqual([nameOf(call), 422]);
    }
  }
  return { open, refusals };
}

async function held(roleId: string): Promise<string[]> {
  const { rows } = await t.app.services.pool.query<{ permission: string }>(
    'select permission from menus join role_menus on menu_id = id where role_id = $1 and permission is not null',
    [roleId],
  );
  return rows.map(({ permission }) => permission);
}

test('nobody who is not staff gets past a door', async () => {
  expect(await knock()).toEqual({ open: [], refusals: new Set(['SIGN_IN_REQUIRED']) });
  const reader = await t.register();
  expect(await knock(reader.token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
  const writer = await makeWriter(t, '写作的人');
  expect(await knock(writer.token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
});

test('the super administrator gets past every door', async () => {
  expect(await knock(admin)).toEqual({ open: doors(everything), refusals: new Set() });
});

test.each(['auditor', 'operator', 'finance'])(
  '%s gets past the doors its menus name, and no other',
  async (code) => {
    const { token, roleId } = await makeMember(t, code);
    const own = await held(roleId);
    expect(doors(own).length).toBeGreaterThan(0);
    expect(doors(own).length).toBeLessThan(guarded.length);
    expect(await knock(token)).toEqual({ open: doors(own), refusals: new Set(['FORBIDDEN']) });
  },
);

test('a disabled role opens nothing, whatever it holds', async () => {
  const { token, roleId } = await makeStaff(t, everything);
  expect(await knock(token)).toEqual({ open: doors(everything), refusals: new Set() });
  await t.call('PUT core/sys/role/', { id: roleId, enabled: 0 }, { token: admin });
  expect(await knock(token)).toEqual({ open: [], refusals: new Set(['FORBIDDEN']) });
});

test('menus can be renamed, moved and hidden, and every door stays as it was', async () => {
  const { token, roleId } = await makeMember(t, 'finance');
  const own = await held(roleId);
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
  expect(await knock(token)).toEqual({ open: doors(own), refusals: new Set(['FORBIDDEN']) });
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

/** Something that may pass for it, with ids of nothing. */
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

/** The test app itself holds every answer against what is declared, status and error code. */
test('every call answers anyone, readers, writers and staff as declared, also when asked for what is not there', async () => {
  const tokens = {
    anyone: undefined,
    reader: (await t.register()).token,
    writer: (await makeWriter(t, '问路的人')).token,
    staff: admin,
  };
  // Those that end the session come last.
  const asked = declared
    .filter((call) => call.file === undefined)
    .toSorted((one, other) => Number(one.path.includes('account')) - Number(other.path.includes('account')));
  const given = new Set<string>();
  for (const call of asked) {
    const input = sampleOf(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema);
    for (const [who, token] of Object.entries(tokens)) {
      // The administrator goes on being one.
      if (who === 'staff' && !isStaffCall(call)) continue;
      const answer = await t.call(nameOf(call) as RouteName, input as object, { token });
      given.add(answer.success ? 'done' : String(answer.status));
    }
  }
  expect([...given]).toEqual(expect.arrayContaining(['done', '200', '401', '403', '404', '422']));
});
