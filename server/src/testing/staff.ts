import type { Permission } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { newId } from '../db/id.ts';
import type { TestApp } from './app.ts';

export interface Staff {
  token: string;
  user: CurrentUser;
  roleId: string;
}

/** A role whose menus carry exactly these permissions. */
export async function makeRole(t: TestApp, permissions: readonly Permission[]): Promise<string> {
  const { pool } = t.app.services;
  const id = newId();
  await pool.query(`insert into roles (id, code, name, created_at) values ($1, $2, '测试', now())`, [
    id,
    `test-${id}`,
  ]);
  const { rowCount } = await pool.query(
    'insert into role_menus (role_id, menu_id) select $1, id from menus where permission = any($2)',
    [id, permissions],
  );
  if (rowCount !== permissions.length) throw new Error(`not all of these are seeded: ${permissions}`);
  return id;
}

/** Somebody whose only role holds exactly these permissions. */
export async function makeStaff(t: TestApp, permissions: readonly Permission[]): Promise<Staff> {
  const roleId = await makeRole(t, permissions);
  const person = await t.register();
  await t.app.services.pool.query('insert into account_roles (user_id, role_id) values ($1, $2)', [
    person.user.id,
    roleId,
  ]);
  return { ...person, roleId };
}

/** Somebody with a role of the first start. */
export async function makeMember(t: TestApp, code: string): Promise<Staff> {
  const person = await t.register();
  const { rows } = await t.app.services.pool.query<{ role_id: string }>(
    'insert into account_roles (user_id, role_id) select $1, id from roles where code = $2 returning role_id',
    [person.user.id, code],
  );
  const roleId = rows[0]?.role_id;
  if (roleId === undefined) throw new Error(`no role ${code}`);
  return { ...person, roleId };
}
