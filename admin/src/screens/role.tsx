import type { Role } from '@mozhan/contract/access.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Space, Tag } from 'antd';
import { RoleMenus } from '#admin/features/role/role-menus.tsx';
import { Link } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { code, enabledTag, time } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const SUPER = 'super';

function AccountCount({ role: { id, name, accountCount } }: { role: Role }) {
  const can = useCan();
  if (accountCount === 0 || !can('account:list')) return accountCount;
  return (
    <Link to={`/account?roleId=${id}&staff=0`} aria-label={`${name}的 ${accountCount} 个账号`}>
      {accountCount}
    </Link>
  );
}

export const Page = () => (
  <ResourceScreen
    name="role"
    title="角色"
    intro="角色拥有菜单，账号拥有角色"
    list={paged('GET core/sys/role/')}
    columns={[
      {
        key: 'name',
        title: '角色名',
        text: (row) => row.name,
        show: (row) => (
          <Space size={8}>
            {row.name}
            {row.builtIn ? <Tag>内置</Tag> : null}
          </Space>
        ),
      },
      code('code', '编码'),
      enabledTag(),
      {
        key: 'accountCount',
        title: '账号数',
        align: 'end',
        text: (row) => String(row.accountCount),
        show: (row) => <AccountCount role={row} />,
      },
      time('createdAt', '创建时间', { sort: true }),
    ]}
    keyword="搜索角色名或编码"
    filters={[enabledFilter]}
    form={{
      values: (row) => ({
        name: row?.name ?? '',
        code: row?.code ?? '',
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: (_, row) => [
        { name: 'name', kind: 'text', label: '角色名', required: true, maxLength: 30 },
        {
          name: 'code',
          kind: 'text',
          label: '角色编码',
          required: true,
          maxLength: 32,
          disabled: row?.builtIn ?? false,
          help: row?.builtIn ? '内置角色的编码不能修改' : '2–32 位小写字母、数字或短横线，以字母开头',
        },
        {
          name: 'enabled',
          kind: 'flag',
          label: '启用',
          disabled: row?.code === SUPER,
          help: '停用后，靠它得到的权限立即失效',
        },
      ],
      codes: { ROLE_CODE_TAKEN: 'code' },
    }}
    create={{
      permission: 'role:create',
      run: (api, values) => api('POST core/sys/role/', values),
      done: ({ name }) => `已新建角色「${name}」`,
    }}
    update={{
      permission: 'role:update',
      run: (api, change) => api('PUT core/sys/role/', change),
      disableText: '停用后，靠它们得到的权限立即失效。',
    }}
    rowActions={[
      {
        label: '菜单权限',
        permission: 'menu:list',
        first: true,
        panel: ({ subject, onClose }) => <RoleMenus role={subject} onClose={onClose} />,
      },
    ]}
    remove={{
      permission: 'role:remove',
      when: (row) => !row.builtIn,
      run: (api, { id }) => api('DELETE core/sys/role/', { id }),
      bulkText: '内置的角色和还有账号在用的角色不能删除。',
    }}
    exempt={(row) => row.code === SUPER}
  />
);
