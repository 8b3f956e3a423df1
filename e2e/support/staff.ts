import { randomBytes } from 'node:crypto';
import type { Permission } from '@mozhan/contract/client.ts';
import { connect, type Person } from './people.ts';

const unique = () => randomBytes(4).toString('hex');

/** Somebody of the staff whose first password has been replaced, holding this role. */
export async function newStaff(admin: Person, url: string, roleCode: string): Promise<Person> {
  const roles = await admin.call('GET core/sys/role/', { pageSize: 100 });
  const role = 'list' in roles ? roles.list.find((each) => each.code === roleCode) : undefined;
  const account = `staff-${unique()}`;
  const first = `first ${unique()} password`;
  const password = `own ${unique()} password`;
  await admin.call('POST core/sys/account/', { account, password: first, roleIds: [role?.id ?? ''] });
  const session = { token: '' };
  const call = connect(url, session);
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

const flat = (menus: Menu[]): Menu[] => menus.flatMap((menu) => [menu, ...flat(menu.children)]);

/** Somebody of the staff whose only role holds exactly these permissions. */
export async function newStaffWith(
  admin: Person,
  url: string,
  permissions: readonly Permission[],
): Promise<Person> {
  const code = `role-${unique()}`;
  const role = await admin.call('POST core/sys/role/', { name: code, code });
  const tree = await admin.call('GET core/sys/menu/', {});
  const wanted = new Set<string | null>(permissions);
  const menuIds = flat(Array.isArray(tree) ? tree : [])
    .filter(({ permission }) => wanted.has(permission))
    .map(({ id }) => id);
  await admin.call('PUT core/sys/role/menu/', { roleId: role.id, menuIds });
  return newStaff(admin, url, code);
}
