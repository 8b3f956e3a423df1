import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { changesOf } from '#admin/lib/changes.ts';
import type { Row } from './acts.tsx';
import { FormDrawer } from './form-drawer.tsx';
import { FormModal } from './form-modal.tsx';
import { createLabelOf, nameIn, type Resource } from './resource.ts';

interface ResourceFormProps<T extends Row, V extends object, A> {
  resource: Resource<T, V, A>;
  /** Undefined: closed. */
  subject: T | 'new' | undefined;
  onClose: () => void;
}

/** Creates or edits a row. */
export function ResourceForm<T extends Row, V extends object, A>(props: ResourceFormProps<T, V, A>) {
  const { resource, subject, onClose } = props;
  const { noun, form, create, update } = resource;
  const { api } = useApp();
  const { message } = App.useApp();
  if (form === undefined) return null;
  const row = subject === 'new' ? undefined : subject;
  const title = row === undefined ? createLabelOf(resource) : `编辑${noun}「${nameIn(resource)(row)}」`;
  const { drawer, fields, values, codes, onlyChanges } = form;
  const Panel = drawer ? FormDrawer : FormModal;

  async function submit(given: V): Promise<void> {
    if (row === undefined) {
      await create?.run(api, given);
      const done = create?.done?.(given);
      if (done !== undefined) message.success(done);
      return;
    }
    const changes = onlyChanges ? changesOf(values(row), given) : given;
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
