import { FLAG, type Flag, toFlag } from '@mozhan/contract/enums.ts';
import { Switch } from 'antd';
import { enabledText } from './enabled-tag.tsx';
import { MoveButtons } from './move-buttons.tsx';
import type { Column } from './use-columns.ts';

interface Row {
  id: string;
}

interface Options<T> {
  nameOf: (row: T) => string;
  mayUpdate: boolean;
}

/** Where a row stands among its siblings, and the buttons to move it. */
export const sortColumn = <T extends Row & { sort: number }>({
  nameOf,
  mayUpdate,
  siblingsOf,
  move,
}: Options<T> & {
  siblingsOf: (row: T) => readonly Row[] | undefined;
  move: (row: T, by: -1 | 1) => Promise<unknown>;
}): Column<T> => ({
  key: 'sort',
  title: '排序',
  text: (row) => String(row.sort),
  by: (row) => row.sort,
  show: (row) => {
    if (!mayUpdate) return row.sort;
    const siblings = siblingsOf(row) ?? [];
    return (
      <MoveButtons
        name={nameOf(row)}
        isFirst={siblings[0]?.id === row.id}
        isLast={siblings.at(-1)?.id === row.id}
        onMove={(by) => void move(row, by)}
      />
    );
  },
});

/** Whether it is in use, and the switch for it. */
export const enabledColumn = <T extends Row & { enabled: Flag }>({
  nameOf,
  mayUpdate,
  setEnabled,
}: Options<T> & { setEnabled: (row: T, enabled: Flag) => Promise<unknown> }): Column<T> => ({
  key: 'enabled',
  title: '启用',
  text: (row) => enabledText(row.enabled),
  by: (row) => row.enabled,
  show: (row) => (
    <Switch
      size="small"
      checked={row.enabled === FLAG.on}
      disabled={!mayUpdate}
      aria-label={`启用：${nameOf(row)}`}
      onChange={(checked) => void setEnabled(row, toFlag(checked))}
    />
  ),
});
