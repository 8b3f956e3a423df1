import { AmountFilter } from './amount-filter.tsx';
import { DayInput } from './day-input.tsx';
import { enabledOptions } from './enabled-tag.tsx';
import { IdFilter } from './id-filter.tsx';
import { type Labels, optionsOf } from './labels.tsx';
import type { Filter } from './table-tools.tsx';
import { UserFilter } from './user-filter.tsx';

export const userFilter = (name: string, label: string): Filter => ({
  name,
  label,
  render: (control) => <UserFilter label={label} {...control} />,
});

/** An id from another screen's link; visible only while set. */
export const idFilter = (name: string, label: string): Filter => ({
  name,
  label,
  render: (control) => <IdFilter label={label} {...control} />,
});

export const amountFilter = (name: string, label: string): Filter => ({
  name,
  label,
  render: (control) => <AmountFilter label={label} {...control} />,
});

export const dayFilter = (name: string, label: string, prefix = label): Filter => ({
  name,
  label,
  render: (control) => <DayInput label={label} prefix={prefix} {...control} />,
});

export const rangeEnd = (filter: Filter): Filter => ({ ...filter, isRangeEnd: true });

export const dayFilters = [dayFilter('from', '开始日期', '从'), rangeEnd(dayFilter('to', '结束日期', '到'))];

export const enabledFilter: Filter = { name: 'enabled', label: '状态', options: enabledOptions };

/** Status filter whose initial value is the pending status. */
export const pendingFilter = (statuses: Labels, waiting: number): Filter => ({
  name: 'status',
  label: '状态',
  initial: String(waiting),
  options: [...optionsOf(statuses), { value: '', label: '全部' }],
});
