import type { Client } from '@mozhan/contract/client.ts';
import { App } from 'antd';
import type { ReactElement, ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import type { PanelProps, Row } from './acts.tsx';
import { FormModal } from './form-modal.tsx';
import type { FormPanelProps } from './use-form-panel.tsx';
import { useOpenings } from './use-openings.ts';

interface RowForm<T, V extends object> {
  title: (row: T, rows: readonly T[]) => string;
  intro?: (row: T, rows: readonly T[]) => ReactNode;
  /** Text of the submit button; default: the label of the act. */
  action?: string | ((row: T) => string);
  /** Verb in the progress dialog; default: the label of the act. */
  verb?: string;
  danger?: boolean | ((row: T, rows: readonly T[]) => boolean);
  /** Initial values. */
  values: V | ((row: T) => V);
  fields: FormPanelProps<V>['fields'];
  /** Which of several rows to process; default: each. */
  only?: (rows: readonly T[]) => readonly T[];
  /** Called for each row. */
  run: (api: Client, row: T, values: V) => Promise<unknown>;
  /** Success message for a single row. */
  done: (row: T, values: V) => string;
  codes?: FormPanelProps<V>['codes'];
}

/** A form as the panel of an act. One row: refusals are shown at their fields. Several: processed one by one, with progress. */
export const rowForm =
  <T extends Row, V extends object>(form: RowForm<T, V>) =>
  (props: PanelProps<T>): ReactElement => <RowFormModal form={form} {...props} />;

function RowFormModal<T extends Row, V extends object>(props: PanelProps<T> & { form: RowForm<T, V> }) {
  const { form, label, subject, nameOf, onClose, onLeft } = props;
  const { api } = useApp();
  const { message } = App.useApp();
  const batch = useBatch();
  const { shown: rows } = useOpenings(subject !== undefined, props.rows);
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

  async function submit(given: V): Promise<void> {
    if (row === undefined) return;
    if (rows.length > 1) {
      // The form makes room for the progress.
      void batch({
        verb,
        rows: only?.(rows) ?? rows,
        nameOf,
        work: (api, each) => run(api, each, given),
      }).then(onLeft);
      return;
    }
    await run(api, row, given);
    message.success(done(row, given));
    onLeft([]);
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
