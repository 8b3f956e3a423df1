import { asCallError } from '@mozhan/client/errors.ts';
import type { Switches } from '@mozhan/contract/switches.ts';
import { Alert, App, Button, Form } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { FormField, SCROLL_TO_ERROR } from '#admin/ui/fields.tsx';
import styles from '#admin/ui/settings-form.module.css';
import { closedOf, groupsOf } from './groups.ts';

/** All switches; sends only changed ones. */
export function SwitchForm({ stored }: { stored: Switches }) {
  const { api, setInMaintenance } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const mayUpdate = useCan()('switch:update');
  const [form] = Form.useForm<Switches>();
  const [busy, setBusy] = useState(false);
  // A refetch during editing contains somebody else's changes, so changes are computed from the first value.
  const [base, setBase] = useState(stored);
  const current: Switches = { ...base, ...Form.useWatch([], form) };
  const changes = changedFields(base, current);
  const count = Object.keys(changes).length;
  useUnsavedGuard(
    () => count > 0,
    () => confirm(DISCARD_CHANGES),
  );

  async function save(): Promise<void> {
    const isSure =
      changes.maintenance !== true ||
      (await confirm({
        title: '打开维护模式？',
        text: '保存后，除了工作人员，所有人只看到维护页面。',
        action: '打开',
      }));
    if (!isSure) return;
    setBusy(true);
    try {
      const saved = await api('PUT core/sys/switch/', changes);
      form.setFieldsValue(saved);
      setBase(saved);
      setInMaintenance(saved.maintenance);
      message.success('已保存，立即生效');
      await refresh();
    } catch (error) {
      const wrong = Object.entries(asCallError(error)?.fields ?? {});
      if (wrong.length === 0) showError(error);
      form.setFields(wrong.map(([name, text]) => ({ name: name as keyof Switches, errors: [text] })));
    } finally {
      setBusy(false);
    }
  }

  const closed = closedOf(base);
  return (
    <Form<Switches>
      form={form}
      layout="vertical"
      className={styles.form}
      initialValues={base}
      disabled={busy || !mayUpdate}
      requiredMark={false}
      scrollToFirstError={SCROLL_TO_ERROR}
      onFinish={() => void save()}
    >
      <Alert
        showIcon
        type={closed.length === 0 ? 'success' : base.maintenance ? 'error' : 'warning'}
        title={closed.length === 0 ? '现在全部开放' : `现在：${closed.join('；')}`}
      />
      {groupsOf(current).map(({ title, fields }) => (
        <section key={title} className={styles.group} aria-label={title}>
          <h2>{title}</h2>
          <div className={styles.fields}>
            {fields.map((field) => (
              <FormField key={field.name} field={field} />
            ))}
          </div>
        </section>
      ))}
      {mayUpdate ? (
        <div className={styles.bar}>
          <span role="status">{count === 0 ? '没有改动' : `${count} 项改动没有保存`}</span>
          <Button disabled={count === 0 || busy} onClick={() => form.resetFields()}>
            撤销改动
          </Button>
          <Button type="primary" htmlType="submit" disabled={count === 0} loading={busy}>
            保存
          </Button>
        </div>
      ) : null}
    </Form>
  );
}
