import type { Permission } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { newId } from '../db/id.ts';
import type { TestApp } from './app.ts';

export interface StaffUser {
  token: string;
  user: CurrentUser;
  roleId: string;
}

export async function createRole(t: TestApp, permissions: readonly Permission[]): Promise<string> {
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
  if (rowCount !== permissions.length) throw new Error(`some permissions have no menu: ${permissions}`);
  return id;
}

/** Creates a user whose only role has exactly these permissions. */
export async function createStaff(t: TestApp, permissions: readonly Permission[]): Promise<StaffUser> {
  const roleId = await createRole(t, permissions);
  const user = await t.register();
  await t.app.services.pool.query('insert into account_roles (user_id, role_id) values ($1, $2)', [
    user.user.id,
    roleId,
  ]);
  return { ...user, roleId };
}

/** Creates a user with one of the default roles. */
export async function createStaffWithRole(t: TestApp, code: string): Promise<StaffUser> {
  const user = await t.register();
  const { rows } = await t.app.services.pool.query<{ role_id: string }>(
    'insert into account_roles (user_id, role_id) select $1, id from roles where code = $2 returning role_id',
    [user.user.id, code],
  );
  const roleId = rows[0]?.role_id;
  if (roleId === undefined) throw new Error(`no role ${code}`);
  return { ...user, roleId };
}
