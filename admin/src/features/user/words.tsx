import { FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { StaffUser } from '@mozhan/contract/system.ts';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { enabledOptions } from '#admin/ui/enabled-tag.tsx';
import type { Filter } from '#admin/ui/table-tools.tsx';

export type Identity = StaffUser['curIdentity'];

export const identities: Record<Identity, string> = {
  [IDENTITY.reader]: '读者',
  [IDENTITY.writer]: '作者',
};

/** What becomes of somebody. */
export const identityEffects: Record<Identity, string> = {
  [IDENTITY.reader]: '读者不能再写文章，已有的文章不受影响。',
  [IDENTITY.writer]: '作者可以写文章。',
};

export const userFilters: Filter[] = [
  {
    name: 'curIdentity',
    label: '身份',
    options: Object.entries(identities).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'isMember',
    label: '会员',
    options: [
      { value: String(FLAG.on), label: '是会员' },
      { value: String(FLAG.off), label: '不是会员' },
    ],
  },
  { name: 'enabled', label: '状态', options: enabledOptions },
  ...dayFilters,
];
