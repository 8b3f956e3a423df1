import { randomBytes } from 'node:crypto';
import type { Permission } from '@mozhan/contract/client.ts';
import { createApiClient, type TestUser } from './users.ts';

const unique = () => randomBytes(4).toString('hex');

/** Creates a staff account with the role, and replaces its initial password. */
export async function newStaff(admin: TestUser, url: string, roleCode: string): Promise<TestUser> {
  const roles = await admin.call('GET core/sys/role/', { pageSize: 100 });
  const role = 'list' in roles ? roles.list.find((each) => each.code === roleCode) : undefined;
  const account = `staff-${unique()}`;
  const first = `first ${unique()} password`;
  const password = `own ${unique()} password`;
  await admin.call('POST core/sys/account/', { account, password: first, roleIds: [role?.id ?? ''] });
  const session = { token: '' };
  const call = createApiClient(url, session);
  await call('POST core/account/login', { account, password: first });
  await call('PUT core/account/password', { oldPassword: first, newPassword: password });
  const user = await call('POST core/account/login', { account, password });
  return { account, password, token: session.token, user, call };
}

interface Menu {
  id: string;
  permission: string | null;
  children: Menu[];
}

const flattenMenus = (menus: Menu[]): Menu[] =>
  menus.flatMap((menu) => [menu, ...flattenMenus(menu.children)]);

/** Creates a staff account whose only role has exactly these permissions. */
export async function newStaffWith(
  admin: TestUser,
  url: string,
  permissions: readonly Permission[],
): Promise<TestUser> {
  const code = `role-${unique()}`;
  const role = await admin.call('POST core/sys/role/', { name: code, code });
  const tree = await admin.call('GET core/sys/menu/', {});
  const permissionSet = new Set<string | null>(permissions);
  const menuIds = flattenMenus(Array.isArray(tree) ? tree : [])
    .filter(({ permission }) => permissionSet.has(permission))
    .map(({ id }) => id);
  await admin.call('PUT core/sys/role/menu/', { roleId: role.id, menuIds });
  return newStaff(admin, url, code);
}
