import type { Client } from '@mozhan/contract/client.ts';
import type { Column } from '@mozhan/contract/columns.ts';
import type { ListedEssay } from '@mozhan/contract/essays.ts';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { useApi } from '#web/lib/app-context.ts';
import { useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { QueryContent } from '#web/ui/query-content.tsx';
import styles from './sort-dialog.module.css';

/** Limit of the API call; essays behind keep their order. */
const MAX_ESSAYS = 500;
const PAGE_SIZE = 100;

async function loadEssays(api: Client, columnId: string, signal: AbortSignal): Promise<ListedEssay[]> {
  const essays: ListedEssay[] = [];
  let cursor: string | undefined;
  do {
    const page = await api('GET core/essay/', { columnId, pageSize: PAGE_SIZE, cursor }, { signal });
    essays.push(...page.list);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && essays.length < MAX_ESSAYS);
  return essays;
}

function moveTo<T>(list: readonly T[], from: number, to: number): T[] {
  const moved = list.toSpliced(from, 1);
  moved.splice(to, 0, ...list.slice(from, from + 1));
  return moved;
}

interface SortFormProps {
  column: Column;
  essays: readonly ListedEssay[];
  onDone: () => void;
  onCancel: () => void;
}

function SortForm({ column, essays, onDone, onCancel }: SortFormProps) {
  const api = useApi();
  const [order, setOrder] = useState(essays);
  const [message, setMessage] = useState('');
  const form = useForm({
    names: [],
    submit: async () => {
      await api('PUT core/essay/column', { id: column.id, essayIds: order.map(({ id }) => id) });
      onDone();
    },
  });

  function move(from: number, to: number, { currentTarget }: MouseEvent<HTMLElement>): void {
    if (to < 0 || to === from || to >= order.length) return;
    flushSync(() => {
      setOrder(moveTo(order, from, to));
      setMessage(`《${order[from]?.title}》现在是第 ${to + 1} 篇`);
    });
    // An element that is moved in the document loses the focus.
    currentTarget.focus({ preventScroll: true });
    currentTarget.scrollIntoView({ block: 'nearest' });
  }

  return (
    <DialogForm
      form={form}
      className="stack gap-2"
      buttonsClass={styles.buttons}
      action="保存"
      onCancel={onCancel}
    >
      <p className="sr" role="status">
        {message}
      </p>
      <ol className={styles.list} aria-label="文章的次序">
        {order.map(({ id, title }, index) => (
          <li key={id} className={styles.item}>
            <span className={styles.number}>{index + 1}</span>
            <span className={styles.title}>{title}</span>
            <IconButton
              label={`把《${title}》移到最前`}
              aria-disabled={index === 0 || undefined}
              onClick={(event) => move(index, 0, event)}
            >
              <Icon name="top" small />
            </IconButton>
            <IconButton
              label={`上移《${title}》`}
              aria-disabled={index === 0 || undefined}
              onClick={(event) => move(index, index - 1, event)}
            >
              <Icon name="up" small />
            </IconButton>
            <IconButton
              label={`下移《${title}》`}
              aria-disabled={index === order.length - 1 || undefined}
              onClick={(event) => move(index, index + 1, event)}
            >
              <Icon name="down" small />
            </IconButton>
          </li>
        ))}
      </ol>
    </DialogForm>
  );
}

type SortDialogProps = Omit<SortFormProps, 'essays' | 'onCancel'> & DialogOpenProps;

function LoadedSortForm(props: Omit<SortFormProps, 'essays'>) {
  const api = useApi();
  const query = useQuery({
    queryKey: ['GET core/essay/', { columnId: props.column.id }, 'all'],
    queryFn: ({ signal }) => loadEssays(api, props.column.id, signal),
    // The form keeps its own order; an older one would be saved over the present one.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryContent
      query={query}
      loading={<LoadingSkeleton className="stack gap-4" lines={['70', '50', '82']} />}
    >
      {(essays) => <SortForm {...props} essays={essays} />}
    </QueryContent>
  );
}

export const SortDialog = ({ open, onOpenChange, ...form }: SortDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="调整文章次序"
    description={`读者在专栏「${form.column.name}」里按这个次序读。`}
  >
    <LoadedSortForm {...form} onCancel={() => onOpenChange(false)} />
  </Dialog>
);
