import type { EssayCharge } from '@mozhan/contract/staff-essays.ts';
import type { Filter } from '#admin/ui/data-table.tsx';
import { DayInput } from '#admin/ui/day-input.tsx';
import { essayStatusNames } from '#admin/ui/essay-status.tsx';
import type { Option } from '#admin/ui/fields.tsx';
import { IdFilter } from '#admin/ui/id-filter.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import { TagFilter } from './tag-filter.tsx';

const statusOptions = Object.entries(essayStatusNames).map(([value, label]) => ({ value, label }));

const chargeNames: Record<EssayCharge, string> = {
  free: '免费',
  paid: '单篇出售',
  member: '会员免费',
};

export const filtersWith = (categories: readonly Option[]): Filter[] => [
  { name: 'status', label: '状态', options: statusOptions },
  { name: 'categoryId', label: '分类', options: categories },
  { name: 'authorId', label: '作者', render: (control) => <UserFilter label="作者" {...control} /> },
  { name: 'tag', label: '标签', render: (control) => <TagFilter {...control} /> },
  {
    name: 'charge',
    label: '收费',
    options: Object.entries(chargeNames).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'from',
    label: '上架起',
    render: (control) => <DayInput label="上架从哪天" prefix="上架" {...control} />,
  },
  {
    name: 'to',
    label: '上架止',
    render: (control) => <DayInput label="上架到哪天" prefix="到" {...control} />,
  },
  { name: 'columnId', label: '专栏', render: (control) => <IdFilter label="一个专栏" {...control} /> },
];
