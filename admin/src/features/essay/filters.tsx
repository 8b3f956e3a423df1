import { FLAG } from '@mozhan/contract/enums.ts';
import type { EssayCharge } from '@mozhan/contract/staff-essays.ts';
import { essayStatusNames } from '#admin/ui/essay-status.tsx';
import type { Option } from '#admin/ui/fields.tsx';
import { dayFilter, idFilter, rangeEnd, userFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import type { Filter } from '#admin/ui/table-tools.tsx';
import { TagFilter } from './tag-filter.tsx';

const charges: Record<EssayCharge, string> = { free: '免费', paid: '单篇出售', member: '会员免费' };

export const essayFilters = (categories: readonly Option[]): Filter[] => [
  { name: 'status', label: '状态', options: optionsOf(essayStatusNames) },
  { name: 'categoryId', label: '分类', options: categories },
  userFilter('authorId', '作者'),
  { name: 'tag', label: '标签', render: (control) => <TagFilter {...control} /> },
  { name: 'charge', label: '收费', options: optionsOf(charges) },
  { name: 'pinned', label: '置顶', options: [{ value: String(FLAG.on), label: '首页置顶的' }] },
  dayFilter('from', '上架开始日期', '上架'),
  rangeEnd(dayFilter('to', '上架结束日期', '到')),
  idFilter('columnId', '一个专栏'),
];
