import { PlusOutlined } from '@ant-design/icons';
import type { StaffAccount } from '@mozhan/contract/access.ts';
import { FLAG, toFlag } from '@mozhan/contract/enums.ts';
import { Button, Space, Tag } from 'antd';
import { useState } from 'react';
import { AccountForm, useRoleOptions } from '#admin/features/account/account-form.tsx';
import { type Handover, PasswordOnce } from '#admin/features/account/password-once.tsx';
import { formatDateTime } from '#admin/lib/format.ts';
import { newPassword } from '#admin/lib/password.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirm, useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable } from '#admin/ui/data-table.tsx';
import { EnabledTag, enabledOptions, enabledText } from '#admin/ui/enabled-tag.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const columns: Column<StaffAccount>[] = [
  {
    key: 'displayName',
    title: '昵称',
    text: (row) => row.displayName,
    show: (row) => <Person name={row.displayName} headImg={row.headImg} note={row.account} />,
  },
  { key: 'account', title: '账号', text: (row) => row.account, hidden: true },
  { key: 'email', title: '邮箱', text: (row) => row.email ?? '-', hidden: true },
  { key: 'phone', title: '手机号', text: (row) => row.phone ?? '-', hidden: true },
  {
    key: 'roles',
    title: '角色',
    text: (row) => row.roles.map((role) => role.name).join('、') || '-',
    show: (row) =>
      row.roles.length === 0 ? (
        '-'
      ) : (
        <Space size={4} wrap>
          {row.roles.map(({ id, name, enabled }) => (
            <Tag key={id} variant="filled" color={enabled === FLAG.on ? 'processing' : 'default'}>
              {enabled === FLAG.on ? name : `${name}（已停用）`}
            </Tag>
          ))}
        </Space>
      ),
  },
  {
    key: 'enabled',
    title: '状态',
    text: (row) => enabledText(row.enabled),
    show: (row) => <EnabledTag enabled={row.enabled} />,
  },
  { key: 'totpOn', title: '两步验证', text: (row) => (row.totpOn ? '已开启' : '未开启') },
  {
    key: 'mustChangePassword',
    title: '初始密码',
    text: (row) => (row.mustChangePassword ? '待修改' : '已修改'),
    hidden: true,
  },
  { key: 'createdAt', title: '创建时间', text: (row) => formatDateTime(row.createdAt), sort: 'createdAt' },
];

export function Page() {
  const { user } = useViewer();
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const confirmRemove = useConfirmRemove();
  const roles = useRoleOptions();
  const [subject, setSubject] = useState<StaffAccount | 'new'>();
  const [handover, setHandover] = useState<Handover>();

  async function resetPassword({ id, account }: StaffAccount): Promise<void> {
    const title = `重置「${account}」的密码？`;
    const text = '会生成一个新密码，它的所有登录立即失效。';
    if (!(await confirm({ title, text, action: '重置' }))) return;
    const password = newPassword();
    const isDone = await act((api) => api('PUT core/sys/account/', { id, password }), '密码已重置');
    if (isDone) setHandover({ account, password });
  }

  async function toggle({ id, account, enabled }: StaffAccount): Promise<void> {
    const next = toFlag(enabled === FLAG.off);
    const text = '停用后，它的所有登录立即失效。';
    if (
      next === FLAG.off &&
      !(await confirm({ title: `停用账号「${account}」？`, text, action: '停用', danger: true }))
    )
      return;
    await act(
      (api) => api('PUT core/sys/account/', { id, enabled: next }),
      `已${enabledText(next)}「${account}」`,
    );
  }

  const remove = ({ id, account }: StaffAccount) =>
    confirmRemove({
      kind: '账号',
      name: account,
      text: '会收回它的全部角色并停用；写过的内容保留。',
      work: (api) => api('DELETE core/sys/account/', { id }),
    });

  return (
    <Screen
      title="账号"
      intro="能登录的账号、它们的角色和密码"
      actions={
        <Can permission="account:create">
          <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
            新建账号
          </Button>
        </Can>
      }
    >
      <DataTable
        name="account"
        title="账号"
        route="GET core/sys/account/"
        columns={columns}
        keyword="昵称、账号或邮箱的开头"
        filters={[
          {
            name: 'staff',
            label: '范围',
            initial: String(FLAG.on),
            options: [
              { value: String(FLAG.on), label: '工作人员' },
              { value: String(FLAG.off), label: '全部账号' },
            ],
          },
          ...(roles.mayList ? [{ name: 'roleId', label: '角色', options: roles.options }] : []),
          { name: 'enabled', label: '状态', options: enabledOptions },
        ]}
        batch={(rows, choose) => (
          <BatchButtons
            kind="账号"
            rows={rows.filter((row) => row.id !== user.id)}
            choose={choose}
            nameOf={(row) => row.account}
            setEnabled={
              can('account:update')
                ? (api, { id }, enabled) => api('PUT core/sys/account/', { id, enabled })
                : undefined
            }
            disableText="停用后不能登录，现有的登录立即失效。"
            remove={
              can('account:remove') ? (api, { id }) => api('DELETE core/sys/account/', { id }) : undefined
            }
            removeText="会收回它们的全部角色并停用；写过的内容保留。"
          />
        )}
        actions={(row) => {
          const isSelf = row.id === user.id;
          return (
            <RowActions
              name={row.account}
              actions={[
                can('account:update') && { label: '编辑', onClick: () => setSubject(row) },
                // One's own would end the login that shows the new one.
                can('account:update') &&
                  !isSelf && { label: '重置密码', onClick: () => void resetPassword(row) },
                can('account:update') &&
                  !isSelf && {
                    label: row.enabled === FLAG.on ? '停用' : '启用',
                    onClick: () => void toggle(row),
                  },
                can('account:remove') &&
                  !isSelf && { label: '删除', danger: true, onClick: () => void remove(row) },
              ]}
            />
          );
        }}
      />
      <AccountForm subject={subject} onClose={() => setSubject(undefined)} onCreated={setHandover} />
      <PasswordOnce given={handover} onClose={() => setHandover(undefined)} />
    </Screen>
  );
}
