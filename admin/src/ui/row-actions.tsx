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
import { useBatch } from '#admin/lib/batch.tsx';
import type { TreeRow } from '#admin/lib/filter-and-sort.ts';
import { useAction } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { type ActionButton, ActionButtons } from './action-buttons.tsx';
import { type ConfirmOptions, useConfirm } from './confirm.ts';

export interface Row extends TreeRow {
  enabled?: Flag;
  sort?: number;
}

/** Replaces the selection by the given rows, or clears it. */
export type SelectRows<T> = (left?: T[]) => void;

interface CommonOptions<T, A> {
  label: string | ((row: T) => string);
  permission?: Permission;
  /** Rows that the action applies to; default: all. `answer` is the response of the list call. */
  when?: (row: T, answer: A) => boolean;
  danger?: boolean;
  /** Only in the toolbar for selected rows. */
  bulkOnly?: true;
  /** Placed before 编辑 instead of after it. */
  first?: true;
}

interface BulkOptions<T> {
  /** Default: the label of the action. Undefined hides the button. */
  label?: (rows: readonly T[]) => string | undefined;
  ask?: (rows: readonly T[]) => ConfirmOptions;
  /** Verb in the progress dialog; default: the label of the action. */
  verb?: string;
  /** Row name in the list of failures; default: that of the resource. */
  nameOf?: (row: T) => string;
}

/** Makes a call, after a confirmation if `ask` returns one. The label is also the text of the confirm button. */
interface RunAction<T, A> extends CommonOptions<T, A> {
  run: (api: Client, row: T) => Promise<unknown>;
  ask?: (row: T) => ConfirmOptions | undefined;
  /** Success message; default: `已{label}「{name}」`. */
  done?: string | ((row: T) => string);
  /** Selected rows are processed one by one, with progress. */
  bulk?: true | BulkOptions<T>;
}

/** Opens a form or a drawer. */
interface PanelAction<T, A> extends CommonOptions<T, A> {
  label: string;
  panel: (props: PanelProps<T>) => ReactElement;
  bulk?: true | Pick<BulkOptions<T>, 'label'>;
}

/** Makes one call for all rows; resolves to the success message. */
interface BatchAction<T, A> extends CommonOptions<T, A> {
  runAll: (api: Client, rows: readonly T[]) => Promise<string>;
  bulk?: true;
}

/** Navigates to another screen. */
interface LinkAction<T, A> extends CommonOptions<T, A> {
  to: (row: T) => string;
  /** Rendered as a link before the buttons instead of as one of them. */
  link?: true;
  bulk?: never;
}

/** Opens a page of the site in a new tab. */
interface SiteAction<T, A> extends CommonOptions<T, A> {
  site: (row: T) => string;
  bulk?: never;
}

/** An action on a row or on several selected rows. */
export type RowAction<T, A = unknown> =
  | RunAction<T, A>
  | BatchAction<T, A>
  | PanelAction<T, A>
  | LinkAction<T, A>
  | SiteAction<T, A>;

export interface PanelProps<T> {
  /** Label of the action. */
  label: string;
  /** The first of `rows`; undefined while the panel is closed. */
  subject: T | undefined;
  rows: readonly T[];
  nameOf: (row: T) => string;
  onClose: () => void;
  /** Called after selected rows were processed, with those that failed. */
  onRemaining: (left: T[]) => void;
  /** The other actions of the row, for the header of a drawer. */
  others: ActionButton[];
}

interface RowActionsOptions<T, A> {
  actions: readonly RowAction<T, A>[];
  nameOf: (row: T) => string;
  /** Undefined until the list is loaded. */
  answer: A | undefined;
}

interface OpenPanel<T> {
  label: string;
  rows: readonly T[];
  selectRows?: SelectRows<T>;
}

type PanelOpener<T> = (panel: OpenPanel<T>) => void;

const labelOf = <T,>({ label }: CommonOptions<T, never>, row: T): string =>
  typeof label === 'string' ? label : label(row);

/** Renders the permitted actions: buttons of rows, buttons for selected rows, and panels. */
export function useRowActions<T extends Row, A>({ actions, nameOf, answer }: RowActionsOptions<T, A>) {
  const { router, basePath } = useApp();
  const can = useCan();
  const act = useAction();
  const confirm = useConfirm();
  const batch = useBatch();
  const opener = useRef<PanelOpener<T>>(null);
  const open: PanelOpener<T> = (panel) => opener.current?.(panel);

  const allowed = actions.filter(({ permission }) => permission === undefined || can(permission));
  const appliesTo = ({ when }: RowAction<T, A>, row: T) =>
    when === undefined || (answer !== undefined && when(row, answer));

  const runAll = ({ runAll }: BatchAction<T, A>, rows: readonly T[]) =>
    act(
      (api) => runAll(api, rows),
      (successMessage) => successMessage,
    );

  async function start(each: RowAction<T, A>, row: T): Promise<void> {
    if ('to' in each) return router.navigate(each.to(row));
    if ('site' in each) return void window.open(basePath + each.site(row), '_blank', 'noopener');
    if ('runAll' in each) return void (await runAll(each, [row]));
    if ('panel' in each) return open({ label: each.label, rows: [row] });
    const label = labelOf(each, row);
    const question = each.ask?.(row);
    if (question && !(await confirm({ action: label, danger: each.danger, ...question }))) return;
    const { done = `已${label}「${nameOf(row)}」` } = each;
    await act((api) => each.run(api, row), typeof done === 'string' ? done : done(row));
  }

  async function startBulk(each: RowAction<T, A>, rows: T[], selectRows: SelectRows<T>): Promise<void> {
    const [first] = rows;
    if ('to' in each || 'site' in each || first === undefined) return;
    if ('panel' in each) return open({ label: each.label, rows, selectRows });
    if ('runAll' in each) {
      if (await runAll(each, rows)) selectRows();
      return;
    }
    const bulk: BulkOptions<T> = typeof each.bulk === 'object' ? each.bulk : {};
    const verb = bulk.verb ?? labelOf(each, first);
    const question = bulk.ask?.(rows);
    if (question && !(await confirm({ action: verb, danger: each.danger, ...question }))) return;
    selectRows(await batch({ verb, rows, nameOf: bulk.nameOf ?? nameOf, work: each.run }));
  }

  const actionsOf = (row: T): (ActionButton & { act: RowAction<T, A> })[] =>
    allowed
      .filter((each) => !each.bulkOnly && appliesTo(each, row))
      .map((each) => ({
        act: each,
        label: labelOf(each, row),
        danger: each.danger,
        ...('link' in each && { to: each.to(row) }),
        onClick: () => void start(each, row),
      }));

  const bulkButtons = (rows: T[], selectRows: SelectRows<T>): ReactNode =>
    allowed.map((each) => {
      const applicable = rows.filter((row) => appliesTo(each, row));
      const [first] = applicable;
      if (each.bulk === undefined || first === undefined) return null;
      const own = each.bulk === true ? undefined : each.bulk.label;
      const label = own === undefined ? labelOf(each, first) : own(applicable);
      return label === undefined ? null : (
        <Button
          key={label}
          size="small"
          danger={each.danger}
          onClick={() => void startBulk(each, applicable, selectRows)}
        >
          {label}
        </Button>
      );
    });

  return {
    hasRowActions: allowed.some(({ bulkOnly }) => !bulkOnly),
    hasBulkActions: actions.some(({ bulk }) => bulk !== undefined),
    renderActions: (row: T) => <ActionButtons name={nameOf(row)} actions={actionsOf(row)} />,
    bulkButtons,
    panels: <Panels ref={opener} actions={actions} nameOf={nameOf} actionsOf={actionsOf} />,
  };
}

interface PanelsProps<T, A> extends Pick<RowActionsOptions<T, A>, 'actions' | 'nameOf'> {
  ref: Ref<PanelOpener<T>>;
  actionsOf: (row: T) => (ActionButton & { act: RowAction<T, A> })[];
}

/** Holds the open panels in its own state, so that opening one does not re-render the table. */
function Panels<T, A>({ ref, actions, nameOf, actionsOf }: PanelsProps<T, A>) {
  // A drawer may open another panel and stay open.
  const [opened, setOpened] = useState<readonly OpenPanel<T>[]>([]);
  useImperativeHandle(ref, () => (panel) => setOpened((now) => [...now, panel]), []);
  return actions.map((each) => {
    if (!('panel' in each)) return null;
    const { label } = each;
    const { rows = [], selectRows } = opened.find((panel) => panel.label === label) ?? {};
    const [subject] = rows;
    return (
      <Fragment key={label}>
        {each.panel({
          label,
          subject,
          rows,
          nameOf,
          onClose: () => setOpened((now) => now.filter((panel) => panel.label !== label)),
          onRemaining: (left) => selectRows?.(left),
          others: subject === undefined ? [] : actionsOf(subject).filter(({ act }) => act !== each),
        })}
      </Fragment>
    );
  });
}
