import type { StaffAccount } from '@mozhan/contract/access.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import type { Option } from '#admin/ui/fields.tsx';

const MAX_ROLES = 100;

/** Role options; without the permission to list roles, only the account's current roles. */
export function useRoleOptions() {
  const { api } = useApp();
  const mayList = useCan()('role:list');
  const { data } = useQuery({
    ...call(api, 'GET core/sys/role/', { pageSize: MAX_ROLES }),
    enabled: mayList,
  });
  return {
    mayList,
    optionsFor: (present: StaffAccount['roles']): Option[] =>
      (data !== undefined && 'list' in data ? data.list : present).map(({ id, name, enabled }) => ({
        value: id,
        label: enabled === FLAG.on ? name : `${name}（已停用）`,
      })),
  };
}
