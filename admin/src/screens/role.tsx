import { PlusOutlined } from '@ant-design/icons';
import type { Role } from '@mozhan/contract/access.ts';
import { Button, Space, Tag } from 'antd';
import { useState } from 'react';
import { RoleForm } from '#admin/features/role/role-form.tsx';
import { RoleMenus } from '#admin/features/role/role-menus.tsx';
import { formatDateTime } from '#admin/lib/format.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { EnabledTag, enabledOptions, enabledText } from '#admin/ui/enabled-tag.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const columns: Column<Role>[] = [
  {
    key: 'name',
    title: '角色名',
    text: (row) => row.name,
    show: (row) => (
      <Space size={8}>
        {row.name}
        {row.builtIn ? <Tag variant="filled">内置</Tag> : null}
      </Space>
    ),
  },
  { key: 'code', title: '编码', text: (row) => row.code, show: (row) => <code>{row.code}</code> },
  {
    key: 'enabled',
    title: '状态',
    text: (row) => enabledText(row.enabled),
    show: (row) => <EnabledTag enabled={row.enabled} />,
  },
  {
    key: 'accountCount',
    title: '账号数',
    align: 'end',
    text: (row) => String(row.accountCount),
    show: (row) => <AccountCount role={row} />,
  },
  { key: 'createdAt', title: '创建时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
];

function AccountCount({ role: { id, name, accountCount } }: { role: Role }) {
  const can = useCan();
  if (accountCount === 0 || !can('account:list')) return accountCount;
  return (
    <Link to={`/account?roleId=${id}&staff=0`} aria-label={`${name}的 ${accountCount} 个账号`}>
      {accountCount}
    </Link>
  );
}

export function Page() {
  const can = useCan();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<Role | 'new'>();
  const [granting, setGranting] = useState<Role>();
  return (
    <Screen
      title="角色"
      intro="角色拥有菜单，账号拥有角色"
      actions={
        <Can permission="role:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            新建角色
          </Button>
        </Can>
      }
    >
      <DataTable
        name="role"
        title="角色"
        route="GET core/sys/role/"
        columns={columns}
        keyword="搜索角色名或编码"
        filters={[{ name: 'enabled', label: '状态', options: enabledOptions }]}
        batch={(rows, choose) => (
          <BatchButtons
            kind="角色"
            rows={rows.filter((row) => row.code !== 'super')}
            choose={choose}
            nameOf={(row) => row.name}
            setEnabled={
              can('role:update')
                ? (api, { id }, enabled) => api('PUT core/sys/role/', { id, enabled })
                : undefined
            }
            disableText="停用后，靠它们得到的权限立即失效。"
            remove={can('role:remove') ? (api, { id }) => api('DELETE core/sys/role/', { id }) : undefined}
            removeText="内置的角色和还有账号在用的角色不能删除。"
          />
        )}
        actions={(row) => (
          <RowActions
            name={row.name}
            actions={[
              can('menu:list') && { label: '菜单权限', onClick: () => setGranting(row) },
              can('role:update') && { label: '编辑', onClick: () => setSubject(row) },
              can('role:remove') &&
                !row.builtIn && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '角色',
                      name: row.name,
                      work: (api) => api('DELETE core/sys/role/', { id: row.id }),
                    }),
                },
            ]}
          />
        )}
      />
      <RoleForm subject={subject} onClose={() => setSubject(undefined)} />
      <RoleMenus role={granting} onClose={() => setGranting(undefined)} />
    </Screen>
  );
}
