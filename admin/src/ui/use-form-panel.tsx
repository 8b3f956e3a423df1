import { asCallError } from '@mozhan/client/errors.ts';
import type { ErrorCode } from '@mozhan/contract/errors.ts';
import { Alert, Button, Form } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { redirectIfSignedOut } from '#admin/lib/session.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { DISCARD_CHANGES, useConfirm } from './confirm.ts';
import { type FieldList, FormField, SCROLL_TO_ERROR } from './fields.tsx';
import styles from './form-panel.module.css';

export interface FormPanelProps<V extends object> {
  title: string;
  open: boolean;
  onClose: () => void;
  values: V;
  /** May depend on the current values. */
  fields: FieldList<V> | ((values: V) => FieldList<V>);
  /** Errors that it throws are displayed at their fields, and the input stays. */
  submit: (values: V) => Promise<unknown>;
  /** Maps error codes to fields. */
  codes?: Partial<Record<ErrorCode, keyof V & string>>;
  action?: string;
  danger?: boolean;
  intro?: ReactNode;
}

export function useFormPanel<V extends object>(props: FormPanelProps<V>) {
  const { open, onClose, values, fields, submit, codes = {}, action = '保存', danger = false, intro } = props;
  const { basePath } = useApp();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const formId = useId();
  const [form] = Form.useForm<V>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  /** Saved or discarded: leaving needs no confirmation. */
  const [isFinished, setFinished] = useState(false);

  const current = { ...values, ...Form.useWatch([], form) } as V;
  const visibleFields = (typeof fields === 'function' ? fields(current) : fields).filter(
    (field) => field !== false,
  );
  const isDirty = () => open && !isFinished && JSON.stringify(current) !== JSON.stringify(values);
  useUnsavedGuard(isDirty, () => confirm(DISCARD_CHANGES));

  async function close(): Promise<void> {
    if (busy || (isDirty() && !(await confirm(DISCARD_CHANGES)))) return;
    setFinished(true);
    onClose();
  }

  function showFieldErrors(error: unknown): void {
    if (redirectIfSignedOut(error, basePath)) return;
    const refused = asCallError(error);
    const known = refused === undefined ? undefined : codes[refused.code];
    const wrong = Object.entries(refused?.fields ?? {}).map(([path, text]) => [path.split('.')[0], text]);
    const errors = visibleFields.flatMap(({ name }) => {
      const text =
        wrong.find(([field]) => field === name)?.[1] ?? (known === name ? refused?.message : undefined);
      return text === undefined ? [] : [{ name, errors: [text] }];
    });
    form.setFields(errors as unknown as Parameters<typeof form.setFields>[0]);
    if (errors.length === 0) setProblem(errorMessage(error));
    else form.getFieldInstance(errors[0]?.name)?.focus?.();
  }

  async function save(submitted: V): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await submit({ ...values, ...submitted });
      setFinished(true);
      onClose();
      await refresh();
    } catch (error) {
      showFieldErrors(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    close: () => void close(),
    body: (
      <Form<V>
        id={formId}
        name={formId}
        form={form}
        layout="vertical"
        initialValues={values}
        disabled={busy}
        requiredMark={false}
        scrollToFirstError={SCROLL_TO_ERROR}
        onFinish={(submitted) => void save(submitted)}
      >
        {intro ? <div className={styles.intro}>{intro}</div> : null}
        {problem === '' ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={problem} />
          </Form.Item>
        )}
        {visibleFields.map((field) => (
          <FormField key={field.name} field={field} />
        ))}
      </Form>
    ),
    footer: (
      <>
        <Button onClick={() => void close()} disabled={busy}>
          取消
        </Button>
        <Button type="primary" danger={danger} htmlType="submit" form={formId} loading={busy}>
          {action}
        </Button>
      </>
    ),
  };
}
