import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { FormDrawer } from './form-drawer.tsx';
import { FormModal } from './form-modal.tsx';
import { createLabelOf, type Resource, rowNameOf } from './resource.ts';
import type { Row } from './row-actions.tsx';

interface ResourceFormProps<T extends Row, V extends object, A> {
  resource: Resource<T, V, A>;
  /** Undefined while closed. */
  subject: T | 'new' | undefined;
  onClose: () => void;
}

export function ResourceForm<T extends Row, V extends object, A>(props: ResourceFormProps<T, V, A>) {
  const { resource, subject, onClose } = props;
  const { noun, form, create, update } = resource;
  const { api } = useApp();
  const { message } = App.useApp();
  if (form === undefined) return null;
  const row = subject === 'new' ? undefined : subject;
  const title = row === undefined ? createLabelOf(resource) : `编辑${noun}「${rowNameOf(resource)(row)}」`;
  const { drawer, fields, values, codes, onlyChanges } = form;
  const Panel = drawer ? FormDrawer : FormModal;

  async function submit(submitted: V): Promise<void> {
    if (row === undefined) {
      await create?.run(api, submitted);
      const done = create?.done?.(submitted);
      if (done !== undefined) message.success(done);
      return;
    }
    const changes = onlyChanges ? changedFields(values(row), submitted) : submitted;
    if (Object.keys(changes).length === 0) return;
    await update?.run(api, { ...changes, id: row.id });
    message.success('已保存');
  }

  return (
    <Panel<V>
      title={form.title?.(row) ?? title}
      open={subject !== undefined}
      onClose={onClose}
      values={values(row)}
      fields={typeof fields === 'function' ? (current) => fields(current, row) : fields}
      submit={submit}
      codes={codes}
    />
  );
}
