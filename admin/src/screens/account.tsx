import { FLAG, toFlag } from '@mozhan/contract/enums.ts';
import { useState } from 'react';
import { type NewCredentials, NewPasswordDialog } from '#admin/features/account/new-password-dialog.tsx';
import { useReauth } from '#admin/features/account/use-reauth.tsx';
import { useRoleOptions } from '#admin/features/account/use-role-options.ts';
import { generatePassword } from '#admin/lib/password.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import { enabledTag, text, time } from '#admin/ui/columns.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { RoleTags } from '#admin/ui/role-tags.tsx';

const scopeFilter = {
  name: 'staff',
  label: '范围',
  initial: String(FLAG.on),
  options: [
    { value: String(FLAG.on), label: '工作人员' },
    { value: String(FLAG.off), label: '全部账号' },
  ],
};

export function Page() {
  const { user } = useViewer();
  const roles = useRoleOptions();
  const { withReauth, dialog } = useReauth();
  const [newCredentials, setNewCredentials] = useState<NewCredentials>();
  const isOther = ({ id }: { id: string }) => id !== user.id;
  return (
    <>
      <ResourceScreen
        name="account"
        title="账号"
        intro="能登录的账号、它们的角色和密码"
        list={paged('GET core/sys/account/')}
        nameOf={({ account }) => account}
        columns={[
          {
            key: 'displayName',
            title: '昵称',
            text: (row) => row.displayName,
            show: (row) => <Person name={row.displayName} headImg={row.headImg} note={row.account} />,
          },
          text('account', '账号', { hidden: true }),
          text('email', '邮箱', { hidden: true }),
          text('phone', '手机号', { hidden: true }),
          {
            key: 'roles',
            title: '角色',
            text: (row) => row.roles.map((role) => role.name).join('、') || '-',
            show: (row) => (row.roles.length === 0 ? '-' : <RoleTags roles={row.roles} />),
          },
          enabledTag(),
          { key: 'totpOn', title: '两步验证', text: (row) => (row.totpOn ? '已开启' : '未开启') },
          {
            key: 'mustChangePassword',
            title: '初始密码',
            text: (row) => (row.mustChangePassword ? '待修改' : '已修改'),
            hidden: true,
          },
          time('createdAt', '创建时间', { sort: true }),
        ]}
        keyword="昵称、账号或邮箱的开头"
        filters={[
          scopeFilter,
          ...(roles.mayList ? [{ name: 'roleId', label: '角色', options: roles.optionsFor([]) }] : []),
          enabledFilter,
        ]}
        form={{
          drawer: true,
          onlyChanges: true,
          values: (row) => ({
            account: row?.account ?? '',
            displayName: row?.displayName ?? '',
            password: row === undefined ? generatePassword() : '',
            roleIds: row?.roleIds ?? [],
            enabled: row?.enabled ?? FLAG.on,
          }),
          fields: (_, row) => [
            {
              name: 'account',
              kind: 'text',
              label: '账号',
              required: true,
              maxLength: 254,
              help: '4–32 位小写字母、数字、下划线或短横线，或一个邮箱地址',
            },
            { name: 'displayName', kind: 'text', label: '昵称', required: row !== undefined, maxLength: 30 },
            row === undefined && {
              name: 'password',
              kind: 'text',
              label: '初始密码',
              required: true,
              maxLength: 128,
              help: '已随机生成，可以换成别的；首次登录须修改',
              rules: [{ min: 8, message: '密码至少 8 个字符' }],
            },
            {
              name: 'roleIds',
              kind: 'select',
              label: '角色',
              multiple: true,
              options: roles.optionsFor(row?.roles ?? []),
              disabled: !roles.mayList,
              placeholder: '没有角色的账号进不了后台',
              help: roles.mayList
                ? '没有角色的账号不在「工作人员」里，范围选「全部账号」时可见'
                : '没有查看角色的权限，不能在这里改动',
            },
            { name: 'enabled', kind: 'flag', label: '启用', help: '停用后，它的所有登录立即失效' },
          ],
          codes: { ACCOUNT_TAKEN: 'account', GRANT_TOO_MUCH: 'roleIds', LAST_SUPER_ADMIN: 'roleIds' },
        }}
        create={{
          permission: 'account:create',
          run: async (api, { displayName, ...input }) => {
            const { account } = await api('POST core/sys/account/', {
              ...input,
              ...(displayName !== '' && { displayName }),
            });
            setNewCredentials({ account, password: input.password });
          },
        }}
        update={{
          permission: 'account:update',
          run: (api, change) => withReauth(() => api('PUT core/sys/account/', change)),
          disableText: '停用后不能登录，现有的登录立即失效。',
        }}
        rowActions={[
          {
            label: '重置密码',
            permission: 'account:update',
            // Resetting the own password would end the session that displays the new one.
            when: isOther,
            ask: ({ account }) => ({
              title: `重置「${account}」的密码？`,
              text: '会生成一个新密码，它的所有登录立即失效。',
              action: '重置',
            }),
            run: async (api, { id, account }) => {
              const password = generatePassword();
              await api('PUT core/sys/account/', { id, password });
              setNewCredentials({ account, password });
            },
            done: '密码已重置',
          },
          {
            label: ({ enabled }) => (enabled === FLAG.on ? '停用' : '启用'),
            permission: 'account:update',
            when: isOther,
            ask: ({ account, enabled }) =>
              enabled === FLAG.on
                ? { title: `停用账号「${account}」？`, text: '停用后，它的所有登录立即失效。', danger: true }
                : undefined,
            run: (api, { id, enabled }) =>
              api('PUT core/sys/account/', { id, enabled: toFlag(enabled === FLAG.off) }),
          },
        ]}
        remove={{
          permission: 'account:remove',
          when: isOther,
          run: (api, { id }) => api('DELETE core/sys/account/', { id }),
          text: '会收回它的全部角色并停用；写过的内容保留。',
          bulkText: '会收回它们的全部角色并停用；写过的内容保留。',
        }}
        exempt={(row) => !isOther(row)}
      />
      {dialog}
      <NewPasswordDialog credentials={newCredentials} onClose={() => setNewCredentials(undefined)} />
    </>
  );
}
