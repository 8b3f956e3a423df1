import type { Flag } from '@mozhan/contract/enums.ts';
import { enabledOptions } from './enabled-tag.tsx';

/** For lists that come whole. */
export const enabledFilter = {
  name: 'enabled',
  label: '状态',
  options: enabledOptions,
  test: (row: { enabled: Flag }, value: string): boolean => String(row.enabled) === value,
};
