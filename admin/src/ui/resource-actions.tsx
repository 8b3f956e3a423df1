import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { enabledText } from './enabled-tag.tsx';
import { type Resource, rowNameOf } from './resource.ts';
import { ResourceForm } from './resource-form.tsx';
import type { Row, RowAction } from './row-actions.tsx';

const FOREVER = '删除后不能恢复。';

function editActions<T extends Row, V extends object, A>(resource: Resource<T, V, A>): RowAction<T, A>[] {
  const { form, update } = resource;
  if (form === undefined || update === undefined) return [];
  return [
    {
      label: '编辑',
      permission: update.permission,
      panel: ({ subject, onClose }) => (
        <ResourceForm resource={resource} subject={subject} onClose={onClose} />
      ),
    },
  ];
}

/** Bulk only, because single rows have a switch. */
function enableActions<T extends Row, V extends object, A>(resource: Resource<T, V, A>): RowAction<T, A>[] {
  const { noun, unit = '个', update } = resource;
  if (update === undefined) return [];
  const { permission, run, disableText } = update;
  const actOf = (enabled: Flag): RowAction<T, A> => ({
    label: enabledText(enabled),
    permission,
    bulkOnly: true,
    when: (row) => row.enabled !== undefined && row.enabled !== enabled,
    run: (api, { id }) => run(api, { id, enabled } as Parameters<typeof run>[1]),
    bulk:
      enabled === FLAG.on || disableText === undefined
        ? true
        : {
            ask: (rows) => ({
              title: `停用这 ${rows.length} ${unit}${noun}？`,
              text: disableText,
              danger: true,
            }),
          },
  });
  return [actOf(FLAG.on), actOf(FLAG.off)];
}

function removeActions<T extends Row, V extends object, A>(resource: Resource<T, V, A>): RowAction<T, A>[] {
  const { noun, unit = '个', remove } = resource;
  if (remove === undefined) return [];
  const { permission, run, when, text = FOREVER } = remove;
  const bulkText = remove.bulkText ?? (typeof text === 'string' ? text : FOREVER);
  const nameOf = rowNameOf(resource);
  return [
    {
      label: '删除',
      permission,
      danger: true,
      ...(when && { when }),
      ask: (row) => ({
        title: `删除${noun}「${nameOf(row)}」？`,
        text: typeof text === 'string' ? text : text(row),
      }),
      run,
      done: (row) => `已删除${noun}「${nameOf(row)}」`,
      bulk: { ask: (rows) => ({ title: `删除这 ${rows.length} ${unit}${noun}？`, text: bulkText }) },
    },
  ];
}

/** All actions of a resource in button order. */
export function resourceActions<T extends Row, V extends object, A>(
  resource: Resource<T, V, A>,
): RowAction<T, A>[] {
  const { rowActions = [] } = resource;
  return [
    ...rowActions.filter(({ first }) => first),
    ...editActions(resource),
    ...rowActions.filter(({ first }) => !first),
    ...enableActions(resource),
    ...removeActions(resource),
  ];
}
