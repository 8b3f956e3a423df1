import type { StaffAccount } from '@mozhan/contract/access.ts';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { changesOf } from '#admin/lib/changes.ts';
import { newPassword } from '#admin/lib/password.ts';
import { call } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import type { Handover } from './password-once.tsx';
import { useReauth } from './use-reauth.tsx';

interface Values {
  account: string;
  displayName: string;
  password: string;
  roleIds: string[];
  enabled: Flag;
}

const MOST_ROLES = 100;

/** Roles to choose from; for those who may not list roles, only the ones that are there already. */
export function useRoleOptions(present: StaffAccount['roles'] = []) {
  const { api } = useApp();
  const mayList = useCan()('role:list');
  const { data } = useQuery({
    ...call(api, 'GET core/sys/role/', { pageSize: MOST_ROLES }),
    enabled: mayList,
  });
  const roles = data !== undefined && 'list' in data ? data.list : present;
  return {
    mayList,
    options: roles.map(({ id, name, enabled }) => ({
      value: id,
      label: enabled === FLAG.on ? name : `${name}（已停用）`,
    })),
  };
}

interface AccountFormProps {
  /** An account, a new one, or none: closed. */
  subject: StaffAccount | 'new' | undefined;
  onClose: () => void;
  onCreated: (handover: Handover) => void;
}

export function AccountForm({ subject, onClose, onCreated }: AccountFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  const { mayList, options } = useRoleOptions(row?.roles);
  const { withReauth, dialog } = useReauth();

  const fields: Field<Values>[] = [
    {
      name: 'account',
      kind: 'text',
      label: '账号',
      required: true,
      maxLength: 254,
      help: '4–32 位小写字母、数字、下划线或短横线，或一个邮箱地址',
    },
    { name: 'displayName', kind: 'text', label: '昵称', required: row !== undefined, maxLength: 30 },
    ...(row === undefined
      ? [
          {
            name: 'password' as const,
            kind: 'text' as const,
            label: '初始密码',
            required: true,
            maxLength: 128,
            help: '已随机生成，可以换成别的；首次登录须修改',
            rules: [{ min: 8, message: '密码至少 8 个字符' }],
          },
        ]
      : []),
    {
      name: 'roleIds',
      kind: 'select',
      label: '角色',
      multiple: true,
      options,
      disabled: !mayList,
      placeholder: '没有角色的账号进不了后台',
      help: mayList
        ? '没有角色的账号不在「工作人员」里，范围选「全部账号」时可见'
        : '没有查看角色的权限，不能在这里改动',
    },
    { name: 'enabled', kind: 'flag', label: '启用', help: '停用后，它的所有登录立即失效' },
  ];

  const initial: Values = {
    account: row?.account ?? '',
    displayName: row?.displayName ?? '',
    password: row === undefined ? newPassword() : '',
    roleIds: row?.roleIds ?? [],
    enabled: row?.enabled ?? 1,
  };

  async function submit(values: Values): Promise<void> {
    if (row !== undefined) {
      const changes = changesOf(initial, values);
      if (Object.keys(changes).length === 0) return;
      await withReauth(() => api('PUT core/sys/account/', { id: row.id, ...changes }));
      message.success('已保存');
      return;
    }
    const { displayName, ...given } = values;
    const { account } = await api('POST core/sys/account/', {
      ...given,
      ...(displayName !== '' && { displayName }),
    });
    onCreated({ account, password: values.password });
  }

  return (
    <>
      <FormDrawer<Values>
        title={row === undefined ? '新建账号' : `编辑账号「${row.account}」`}
        open={subject !== undefined}
        onClose={onClose}
        values={initial}
        fields={fields}
        submit={submit}
        codes={{ ACCOUNT_TAKEN: 'account', GRANT_TOO_MUCH: 'roleIds', LAST_SUPER_ADMIN: 'roleIds' }}
      />
      {dialog}
    </>
  );
}
