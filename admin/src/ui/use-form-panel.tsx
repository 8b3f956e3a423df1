import { asCallError } from '@mozhan/client/errors.ts';
import type { ErrorCode } from '@mozhan/contract/errors.ts';
import { Alert, Button, Form } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { sentenceOf } from '#admin/lib/errors.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { leaveIfSignedOut } from '#admin/lib/session.ts';
import { useUnsaved } from '#admin/lib/unsaved.ts';
import { DISCARD, useConfirm } from './confirm.ts';
import { type FieldList, FormField } from './fields.tsx';

export interface FormPanelProps<V extends object> {
  title: string;
  open: boolean;
  onClose: () => void;
  /** What the form starts with. */
  values: V;
  /** May depend on what is in the form. */
  fields: FieldList<V> | ((values: V) => FieldList<V>);
  /** Throws what the server refused; its words then stand at their fields, and what was typed stays. */
  submit: (values: V) => Promise<unknown>;
  /** Refusals that belong to one field. */
  codes?: Partial<Record<ErrorCode, keyof V & string>>;
  action?: string;
  danger?: boolean;
  intro?: ReactNode;
}

/** The form of a drawer or dialog, and its buttons. */
export function useFormPanel<V extends object>(props: FormPanelProps<V>) {
  const { open, onClose, values, fields, submit, codes = {}, action = '保存', danger = false, intro } = props;
  const { basePath } = useApp();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const formId = useId();
  const [form] = Form.useForm<V>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  /** Once saved or given up, nothing is lost by leaving. */
  const [settled, setSettled] = useState(false);

  const current = { ...values, ...Form.useWatch([], form) } as V;
  const shown = (typeof fields === 'function' ? fields(current) : fields).filter((field) => field !== false);
  const isDirty = () => open && !settled && JSON.stringify(current) !== JSON.stringify(values);
  useUnsaved(isDirty, () => confirm(DISCARD));

  async function close(): Promise<void> {
    if (busy || (isDirty() && !(await confirm(DISCARD)))) return;
    setSettled(true);
    onClose();
  }

  function place(error: unknown): void {
    if (leaveIfSignedOut(error, basePath)) return;
    const refused = asCallError(error);
    const known = refused === undefined ? undefined : codes[refused.code];
    const wrong = Object.entries(refused?.fields ?? {}).map(([path, text]) => [path.split('.')[0], text]);
    const errors = shown.flatMap(({ name }) => {
      const text =
        wrong.find(([field]) => field === name)?.[1] ?? (known === name ? refused?.message : undefined);
      return text === undefined ? [] : [{ name, errors: [text] }];
    });
    form.setFields(errors as unknown as Parameters<typeof form.setFields>[0]);
    if (errors.length === 0) setProblem(sentenceOf(error));
    else form.getFieldInstance(errors[0]?.name)?.focus?.();
  }

  async function save(given: V): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await submit({ ...values, ...given });
      setSettled(true);
      onClose();
      await refresh();
    } catch (error) {
      place(error);
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
        scrollToFirstError={{ focus: true }}
        onFinish={(given) => void save(given)}
      >
        {intro}
        {problem === '' ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={problem} />
          </Form.Item>
        )}
        {shown.map((field) => (
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
