import { FLAG, type Flag, toFlag } from '@mozhan/contract/enums.ts';
import { Switch } from 'antd';
import { useAction } from '#admin/lib/queries.ts';
import { reorder } from '#admin/lib/reorder.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from './confirm.ts';
import { enabledText } from './enabled-tag.tsx';
import { MoveButtons } from './move-buttons.tsx';
import { type Resource, rowNameOf, type UpdateInput } from './resource.ts';
import type { Row } from './row-actions.tsx';
import type { Column } from './use-columns.ts';

/**
 * Resolves the columns of a resource, including `'order'` and `'enabled'`. Rows can be moved only while the list is
 * complete and in its stored order, because otherwise the new position would not be visible.
 */
export function useRowColumns<T extends Row, V extends object, A>(
  resource: Resource<T, V, A>,
  rows: readonly T[] = [],
  isInOrder = true,
): Column<T>[] {
  const { columns, update, siblingsOf = () => rows } = resource;
  const can = useCan();
  const act = useAction();
  const confirm = useConfirm();
  const mayUpdate = update !== undefined && can(update.permission);
  const nameOf = rowNameOf(resource);
  const sorted = (row: T) => siblingsOf(row, rows) as readonly (T & { sort: number })[];

  const move = (row: T, by: -1 | 1) =>
    act(async (api) => {
      for (const change of reorder(sorted(row), row.id, by)) await update?.run(api, change as UpdateInput<V>);
    }, '已调整顺序');

  async function setEnabled(row: T, enabled: Flag): Promise<void> {
    const name = nameOf(row);
    const text = update?.disableText;
    const isAsked = enabled === FLAG.off && text !== undefined;
    if (isAsked && !(await confirm({ title: `停用「${name}」？`, text, action: '停用', danger: true })))
      return;
    await act(
      async (api) => update?.run(api, { id: row.id, enabled } as UpdateInput<V>),
      update?.switched?.(row, enabled) ?? `已${enabledText(enabled)}「${name}」`,
    );
  }

  const order: Column<T> = {
    key: 'sort',
    title: '排序',
    text: (row) => String(row.sort),
    by: (row) => row.sort ?? 0,
    show: (row) => {
      if (!mayUpdate) return row.sort;
      const siblings = sorted(row);
      return (
        <MoveButtons
          name={nameOf(row)}
          isFirst={siblings[0]?.id === row.id}
          isLast={siblings.at(-1)?.id === row.id}
          blocked={isInOrder ? undefined : '清除排序、搜索和筛选后才能调整顺序'}
          onMove={(by) => void move(row, by)}
        />
      );
    },
  };

  const enabled: Column<T> = {
    key: 'enabled',
    title: '启用',
    text: (row) => enabledText(row.enabled ?? FLAG.off),
    by: (row) => row.enabled ?? FLAG.off,
    show: (row) => (
      <Switch
        size="small"
        checked={row.enabled === FLAG.on}
        disabled={!mayUpdate || resource.exempt?.(row)}
        aria-label={`启用：${nameOf(row)}`}
        onChange={(checked) => void setEnabled(row, toFlag(checked))}
      />
    ),
  };

  const named = { order, enabled };
  return columns.map((column) => (typeof column === 'string' ? named[column] : column));
}
