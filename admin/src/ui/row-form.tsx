import type { Client } from '@mozhan/contract/client.ts';
import { App } from 'antd';
import type { ReactElement, ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { FormModal } from './form-modal.tsx';
import type { PanelProps, Row } from './row-actions.tsx';
import type { FormPanelProps } from './use-form-panel.tsx';
import { useLastOpened } from './use-last-opened.ts';

interface RowFormOptions<T, V extends object> {
  title: (row: T, rows: readonly T[]) => string;
  intro?: (row: T, rows: readonly T[]) => ReactNode;
  /** Text of the submit button; default: the label of the action. */
  action?: string | ((row: T) => string);
  /** Verb in the progress dialog; default: the label of the action. */
  verb?: string;
  danger?: boolean | ((row: T, rows: readonly T[]) => boolean);
  values: V | ((row: T) => V);
  fields: FormPanelProps<V>['fields'];
  /** Which of several rows to process; default: each. */
  only?: (rows: readonly T[]) => readonly T[];
  run: (api: Client, row: T, values: V) => Promise<unknown>;
  /** Success message for a single row. */
  done: (row: T, values: V) => string;
  codes?: FormPanelProps<V>['codes'];
}

/** A form as the panel of an action. For one row, errors appear at their fields; several rows run as a batch. */
export const rowForm =
  <T extends Row, V extends object>(form: RowFormOptions<T, V>) =>
  (props: PanelProps<T>): ReactElement => <RowFormModal form={form} {...props} />;

function RowFormModal<T extends Row, V extends object>(
  props: PanelProps<T> & { form: RowFormOptions<T, V> },
) {
  const { form, label, subject, nameOf, onClose, onRemaining } = props;
  const { api } = useApp();
  const { message } = App.useApp();
  const batch = useBatch();
  const { displayed: rows } = useLastOpened(subject !== undefined, props.rows);
  const [row] = rows;
  if (row === undefined) return null;
  const {
    title,
    intro,
    action = label,
    verb = label,
    danger = false,
    values,
    only,
    run,
    done,
    ...rest
  } = form;

  async function submit(submitted: V): Promise<void> {
    if (row === undefined) return;
    if (rows.length > 1) {
      // Not awaited, so that the form closes before the progress dialog opens.
      void batch({
        verb,
        rows: only?.(rows) ?? rows,
        nameOf,
        work: (api, each) => run(api, each, submitted),
      }).then(onRemaining);
      return;
    }
    await run(api, row, submitted);
    message.success(done(row, submitted));
    onRemaining([]);
  }

  return (
    <FormModal<V>
      {...rest}
      title={title(row, rows)}
      intro={intro?.(row, rows)}
      action={typeof action === 'string' ? action : action(row)}
      danger={typeof danger === 'boolean' ? danger : danger(row, rows)}
      open={subject !== undefined}
      onClose={onClose}
      values={typeof values === 'function' ? values(row) : values}
      submit={submit}
    />
  );
}
