import type { Client, Permission } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { App, Button } from 'antd';
import {
  Fragment,
  type ReactElement,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import type { WholeRow } from '#admin/lib/arrange.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { type Question, useConfirm } from './confirm.ts';
import { FormModal } from './form-modal.tsx';
import { type RowAction, RowActions } from './row-actions.tsx';
import type { FormPanelProps } from './use-form-panel.tsx';
import { useOpenings } from './use-openings.ts';

export interface Row extends WholeRow {
  enabled?: Flag;
  sort?: number;
}

/** Which rows stay chosen; without any all are let go. */
export type Choose<T> = (left?: T[]) => void;

interface Common<T, A> {
  label: string | ((row: T) => string);
  permission?: Permission;
  /** The rows it is for; without it all. The answer says what concerns all of them. */
  when?: (row: T, answer: A) => boolean;
  danger?: boolean;
  /** Offered for chosen rows only. */
  bulkOnly?: true;
  /** Stands before 编辑. */
  first?: true;
}

interface Bulk<T> {
  /** Where it is not that of a row; undefined: not offered for these. */
  label?: (rows: readonly T[]) => string | undefined;
  ask?: (rows: readonly T[]) => Question;
  /** What the progress says, where that is not the label of a row. */
  verb?: string;
  /** What tells one from another where something fails, if it is not the name. */
  nameOf?: (row: T) => string;
}

/** Makes a call, after a question where there is one. Its button says 批准, as the act does, unless the question has its own. */
interface RunAct<T, A> extends Common<T, A> {
  run: (api: Client, row: T) => Promise<unknown>;
  ask?: (row: T) => Question | undefined;
  /** Said afterwards. */
  done?: string | ((row: T) => string);
  /** Several are done one after the other, with progress. */
  bulk?: true | Bulk<T>;
}

/** Opens a form or a drawer. */
interface PanelAct<T, A> extends Common<T, A> {
  label: string;
  panel: (props: PanelProps<T>) => ReactElement;
  bulk?: true | Pick<Bulk<T>, 'label'>;
}

/** Makes one call for all rows, and returns what is said afterwards. */
interface AllAct<T, A> extends Common<T, A> {
  runAll: (api: Client, rows: readonly T[]) => Promise<string>;
  bulk?: true;
}

/** Leads to another screen. */
interface LinkAct<T, A> extends Common<T, A> {
  to: (row: T) => string;
  /** A link before the buttons, to be opened in a tab of its own too. */
  link?: true;
  bulk?: never;
}

/** Something that can be done with a row, or with several. */
export type Act<T, A = unknown> = RunAct<T, A> | AllAct<T, A> | PanelAct<T, A> | LinkAct<T, A>;

export interface PanelProps<T> {
  /** That of the act. */
  label: string;
  /** The first of the rows; undefined: closed. */
  subject: T | undefined;
  rows: readonly T[];
  nameOf: (row: T) => string;
  onClose: () => void;
  /** Of chosen rows: which ones are left. */
  onLeft: (left: T[]) => void;
  /** What else can be done with the row. */
  others: RowAction[];
}

interface ActsOptions<T, A> {
  acts: readonly Act<T, A>[];
  nameOf: (row: T) => string;
  /** What the list was answered with; undefined until it is there. */
  answer: A | undefined;
}

interface Opened<T> {
  label: string;
  rows: readonly T[];
  choose?: Choose<T>;
}

type Opener<T> = (panel: Opened<T>) => void;

const labelOf = <T,>({ label }: Common<T, never>, row: T): string =>
  typeof label === 'string' ? label : label(row);

/** The acts that the viewer may use, as buttons of rows and of the bar for chosen rows, and what they open. */
export function useActs<T extends Row, A>({ acts, nameOf, answer }: ActsOptions<T, A>) {
  const { router } = useApp();
  const can = useCan();
  const act = useAct();
  const confirm = useConfirm();
  const batch = useBatch();
  const opener = useRef<Opener<T>>(null);
  const open: Opener<T> = (panel) => opener.current?.(panel);

  const allowed = acts.filter(({ permission }) => permission === undefined || can(permission));
  const isFor = ({ when }: Act<T, A>, row: T) =>
    when === undefined || (answer !== undefined && when(row, answer));

  const runAll = ({ runAll }: AllAct<T, A>, rows: readonly T[]) =>
    act(
      (api) => runAll(api, rows),
      (said) => said,
    );

  async function start(each: Act<T, A>, row: T): Promise<void> {
    if ('to' in each) return router.navigate(each.to(row));
    if ('runAll' in each) return void (await runAll(each, [row]));
    if ('panel' in each) return open({ label: each.label, rows: [row] });
    const label = labelOf(each, row);
    const question = each.ask?.(row);
    if (question && !(await confirm({ action: label, danger: each.danger, ...question }))) return;
    const { done = `已${label}「${nameOf(row)}」` } = each;
    await act((api) => each.run(api, row), typeof done === 'string' ? done : done(row));
  }

  async function startBulk(each: Act<T, A>, rows: T[], choose: Choose<T>): Promise<void> {
    const [first] = rows;
    if ('to' in each || first === undefined) return;
    if ('panel' in each) return open({ label: each.label, rows, choose });
    if ('runAll' in each) {
      if (await runAll(each, rows)) choose();
      return;
    }
    const bulk: Bulk<T> = typeof each.bulk === 'object' ? each.bulk : {};
    const verb = bulk.verb ?? labelOf(each, first);
    const question = bulk.ask?.(rows);
    if (question && !(await confirm({ action: verb, danger: each.danger, ...question }))) return;
    choose(await batch({ verb, rows, nameOf: bulk.nameOf ?? nameOf, work: each.run }));
  }

  const actionsOf = (row: T): (RowAction & { act: Act<T, A> })[] =>
    allowed
      .filter((each) => !each.bulkOnly && isFor(each, row))
      .map((each) => ({
        act: each,
        label: labelOf(each, row),
        danger: each.danger,
        ...('link' in each && { to: each.to(row) }),
        onClick: () => void start(each, row),
      }));

  const bulkButtons = (rows: T[], choose: Choose<T>): ReactNode =>
    allowed.map((each) => {
      const meant = rows.filter((row) => isFor(each, row));
      const [first] = meant;
      if (each.bulk === undefined || first === undefined) return null;
      const own = each.bulk === true ? undefined : each.bulk.label;
      const label = own === undefined ? labelOf(each, first) : own(meant);
      return label === undefined ? null : (
        <Button
          key={label}
          size="small"
          danger={each.danger}
          onClick={() => void startBulk(each, meant, choose)}
        >
          {label}
        </Button>
      );
    });

  return {
    hasRowActs: allowed.some(({ bulkOnly }) => !bulkOnly),
    hasBulkActs: acts.some(({ bulk }) => bulk !== undefined),
    rowActions: (row: T) => <RowActions name={nameOf(row)} actions={actionsOf(row)} />,
    bulkButtons,
    panels: <Panels ref={opener} acts={acts} nameOf={nameOf} actionsOf={actionsOf} />,
  };
}

interface PanelsProps<T, A> extends Pick<ActsOptions<T, A>, 'acts' | 'nameOf'> {
  ref: Ref<Opener<T>>;
  actionsOf: (row: T) => (RowAction & { act: Act<T, A> })[];
}

/** What acts open. Apart from the table, so that its rows are not rendered again when something opens or closes. */
function Panels<T, A>({ ref, acts, nameOf, actionsOf }: PanelsProps<T, A>) {
  // One may be opened from another.
  const [opened, setOpened] = useState<readonly Opened<T>[]>([]);
  useImperativeHandle(ref, () => (panel) => setOpened((now) => [...now, panel]), []);
  return acts.map((each) => {
    if (!('panel' in each)) return null;
    const { label } = each;
    const { rows = [], choose } = opened.find((panel) => panel.label === label) ?? {};
    const [subject] = rows;
    return (
      <Fragment key={label}>
        {each.panel({
          label,
          subject,
          rows,
          nameOf,
          onClose: () => setOpened((now) => now.filter((panel) => panel.label !== label)),
          onLeft: (left) => choose?.(left),
          others: subject === undefined ? [] : actionsOf(subject).filter(({ act }) => act !== each),
        })}
      </Fragment>
    );
  });
}

interface RowForm<T, V extends object> {
  title: (row: T, rows: readonly T[]) => string;
  intro?: (row: T, rows: readonly T[]) => ReactNode;
  /** On its button, where that is not the label of the act. */
  action?: string | ((row: T) => string);
  /** What the progress of several says, where that is not the label of the act. */
  verb?: string;
  danger?: boolean | ((row: T, rows: readonly T[]) => boolean);
  /** What the form starts with. */
  values: V | ((row: T) => V);
  fields: FormPanelProps<V>['fields'];
  /** Of several rows those that are dealt with, if not each. */
  only?: (rows: readonly T[]) => readonly T[];
  /** For each of them. */
  run: (api: Client, row: T, values: V) => Promise<unknown>;
  /** Said of a single row. */
  done: (row: T, values: V) => string;
  codes?: FormPanelProps<V>['codes'];
}

/** The panel of an act that asks something first; of several rows one after the other is dealt with, with progress. */
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
