import { messageOf } from '@mozhan/client/errors.ts';
import type { RevisionBrief } from '@mozhan/contract/essays.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canEdit } from '#web/features/own-essays/own-acts.ts';
import type { Desk } from '#web/features/writing/desk.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { Changes } from './compare.tsx';
import styles from './history.module.css';
import { WideDialog } from './wide-dialog.tsx';

interface HistoryProps {
  desk: Desk;
  onOpenChange: (open: boolean) => void;
}

const labelOf = ({ shelved, auto }: RevisionBrief): string =>
  shelved ? '读者看到的' : auto ? '自动保存' : '保存';

/** One version beside the present text. */
function Version({ id, revision, present }: { id: string; revision: number; present: string }) {
  const { data, error } = useCall('GET core/essay/{id}/revision', { id, revision });
  if (error !== null) return <Notice tone="bad">{messageOf(error)}</Notice>;
  if (data === undefined || !('content' in data)) return <p role="status">正在载入…</p>;
  if (data.content === present) return <p className={styles.none}>正文和现在的一样。</p>;
  return <Changes before={data.content} after={present} />;
}

/** Earlier versions, what has changed since, and the way back. */
export function History({ desk: { writing }, onOpenChange }: HistoryProps) {
  const api = useApi();
  const facts = useStore(writing.facts);
  const [present] = useState(() => writing.read().content);
  const [chosen, setChosen] = useState<number | null>(null);
  const id = writing.autosave.saved()?.id ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['editor-history', id, writing.version.get()],
    enabled: id !== '',
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api('GET core/essay/{id}/revision', { id, ...pageParam }, { signal });
      return 'list' in answer ? answer : { list: [], next: null };
    },
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ next }) => (next === null ? undefined : { cursor: next }),
  });
  const versions = pages.data?.pages.flatMap(({ list }) => list) ?? [];
  const current = chosen ?? versions[1]?.revision ?? versions[0]?.revision ?? null;

  async function restore(revision: number): Promise<void> {
    const yes = await confirm({
      title: `恢复到 v${revision}？`,
      text: '现在的文字会先存成一个版本，随时可以换回来。',
      action: '恢复',
    });
    if (!yes) return;
    try {
      if (!(await writing.autosave.flush())) return toast('现在的文字还没有保存，稍后再恢复', 'warn');
      await api('POST core/essay/{id}/revision/restore', { id, revision });
      await writing.refresh();
      toast(`已恢复到 v${revision}`);
      onOpenChange(false);
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }

  return (
    <WideDialog
      title="历史版本"
      onOpenChange={onOpenChange}
      footer={
        current === null || !canEdit(facts) ? null : (
          <Button look="primary" onClick={() => restore(current)}>
            恢复到 v{current}
          </Button>
        )
      }
    >
      {id === '' ? <p className={styles.none}>第一次保存之后，这里会有历史版本。</p> : null}
      {pages.error === null ? null : <Notice tone="bad">{messageOf(pages.error)}</Notice>}
      <div className={styles.columns}>
        <ol className={styles.list} aria-label="版本">
          {versions.map((version) => (
            <li key={version.revision}>
              <button
                type="button"
                aria-pressed={version.revision === current}
                onClick={() => setChosen(version.revision)}
              >
                <strong>v{version.revision}</strong> <Time at={version.createdAt} />
                <small>
                  {labelOf(version)}　{formatCount(version.wordCount)} 字
                </small>
              </button>
            </li>
          ))}
          {pages.hasNextPage ? (
            <li>
              <Button look="ghost" size="small" onClick={() => pages.fetchNextPage()}>
                更早的
              </Button>
            </li>
          ) : null}
        </ol>
        <div className={styles.changes}>
          {current === null ? null : (
            <>
              <p className={styles.legend}>
                从 v{current} 到现在：红底是那时有、现在没有的，绿底是现在新有的。
              </p>
              <Version key={current} id={id} revision={current} present={present} />
            </>
          )}
        </div>
      </div>
    </WideDialog>
  );
}
