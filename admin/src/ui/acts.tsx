import type { Client, Permission } from '@mozhan/contract/client.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { Button } from 'antd';
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
import { type RowAction, RowActions } from './row-actions.tsx';

export interface Row extends WholeRow {
  enabled?: Flag;
  sort?: number;
}

/** Sets the selection: the rows that are left, or none. */
export type Choose<T> = (left?: T[]) => void;

interface Common<T, A> {
  label: string | ((row: T) => string);
  permission?: Permission;
  /** Rows that the act applies to; default: all. `answer` is what the list call returned. */
  when?: (row: T, answer: A) => boolean;
  danger?: boolean;
  /** Only in the bar for selected rows. */
  bulkOnly?: true;
  /** Before 编辑; the others follow it. */
  first?: true;
}

interface Bulk<T> {
  /** Default: the label of the act. Undefined hides the button. */
  label?: (rows: readonly T[]) => string | undefined;
  ask?: (rows: readonly T[]) => Question;
  /** Verb in the progress dialog; default: the label of the act. */
  verb?: string;
  /** Row name in the list of failures; default: that of the resource. */
  nameOf?: (row: T) => string;
}

/** Makes a call, after a confirmation if `ask` returns one. The label is the text of the confirm button too. */
interface RunAct<T, A> extends Common<T, A> {
  run: (api: Client, row: T) => Promise<unknown>;
  ask?: (row: T) => Question | undefined;
  /** Success message; default: 已, label and name. */
  done?: string | ((row: T) => string);
  /** Selected rows are processed one by one, with progress. */
  bulk?: true | Bulk<T>;
}

/** Opens a form or a drawer. */
interface PanelAct<T, A> extends Common<T, A> {
  label: string;
  panel: (props: PanelProps<T>) => ReactElement;
  bulk?: true | Pick<Bulk<T>, 'label'>;
}

/** Makes one call for all rows; resolves to the success message. */
interface AllAct<T, A> extends Common<T, A> {
  runAll: (api: Client, rows: readonly T[]) => Promise<string>;
  bulk?: true;
}

/** Navigates to another screen. */
interface LinkAct<T, A> extends Common<T, A> {
  to: (row: T) => string;
  /** Rendered as a link before the buttons instead of as one of them. */
  link?: true;
  bulk?: never;
}

/** Something to do with a row, or with several selected rows. */
export type Act<T, A = unknown> = RunAct<T, A> | AllAct<T, A> | PanelAct<T, A> | LinkAct<T, A>;

export interface PanelProps<T> {
  /** Label of the act. */
  label: string;
  /** The first of `rows`; undefined while the panel is closed. */
  subject: T | undefined;
  rows: readonly T[];
  nameOf: (row: T) => string;
  onClose: () => void;
  /** Called after selected rows were processed, with those that failed. */
  onLeft: (left: T[]) => void;
  /** The other acts of the row, for the header of a drawer. */
  others: RowAction[];
}

interface ActsOptions<T, A> {
  acts: readonly Act<T, A>[];
  nameOf: (row: T) => string;
  /** Undefined until the list is loaded. */
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

/** Renders the acts that the viewer may use: buttons of rows, buttons of the selection bar, and their panels. */
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

/** Holds the open panels in its own state, so that opening one does not re-render the table. */
function Panels<T, A>({ ref, acts, nameOf, actionsOf }: PanelsProps<T, A>) {
  // A drawer may open another panel and stay open.
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
