import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { canEditEssay } from '#web/features/own-essays/essay-actions.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { TextChanges } from './compare.tsx';
import styles from './version-history.module.css';
import { WideDialog } from './wide-dialog.tsx';

interface VersionHistoryProps {
  editor: EditorModel;
  onOpenChange: (open: boolean) => void;
}

const versionLabel = ({ shelved, auto }: RevisionSummary): string =>
  shelved ? '读者看到的' : auto ? '自动保存' : '保存';

function VersionChanges({
  id,
  revision,
  currentText,
}: {
  id: string;
  revision: number;
  currentText: string;
}) {
  const { data, error } = useCall('GET core/essay/{id}/revision', { id, revision });
  if (error !== null) return <Alert tone="bad">{errorMessageOf(error)}</Alert>;
  if (data === undefined || !('content' in data)) return <p role="status">正在载入…</p>;
  if (data.content === currentText) return <p className={styles.none}>正文和现在的一样。</p>;
  return <TextChanges before={data.content} after={currentText} />;
}

export function VersionHistory({ editor: { essay }, onOpenChange }: VersionHistoryProps) {
  const api = useApi();
  const statusInfo = useStoreValue(essay.statusInfo);
  const [currentText] = useState(() => essay.read().content);
  const [chosen, setChosen] = useState<number | null>(null);
  const id = essay.autosave.saved()?.id ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['editor-history', id, essay.version.get()],
    enabled: id !== '',
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api('GET core/essay/{id}/revision', { id, ...pageParam }, { signal });
      return 'list' in answer ? answer : { list: [], next: null };
    },
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ next }) => (next === null ? undefined : { cursor: next }),
  });
  const versions = pages.data?.pages.flatMap(({ list }) => list) ?? [];
  const selectedRevision = chosen ?? versions[1]?.revision ?? versions[0]?.revision ?? null;

  async function restore(revision: number): Promise<void> {
    const isConfirmed = await confirm({
      title: `恢复到 v${revision}？`,
      text: '现在的文字会先存成一个版本，随时可以换回来。',
      action: '恢复',
    });
    if (!isConfirmed) return;
    try {
      if (!(await essay.autosave.flush())) return toast('现在的文字还没有保存，稍后再恢复', 'warn');
      await api('POST core/essay/{id}/revision/restore', { id, revision });
      await essay.refresh();
      toast(`已恢复到 v${revision}`);
      onOpenChange(false);
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    }
  }

  return (
    <WideDialog
      title="历史版本"
      onOpenChange={onOpenChange}
      footer={
        selectedRevision === null || !canEditEssay(statusInfo) ? null : (
          <Button variant="primary" onClick={() => restore(selectedRevision)}>
            恢复到 v{selectedRevision}
          </Button>
        )
      }
    >
      {id === '' ? <p className={styles.none}>第一次保存之后，这里会有历史版本。</p> : null}
      {pages.error === null ? null : <Alert tone="bad">{errorMessageOf(pages.error)}</Alert>}
      <div className={styles.columns}>
        <ol className={styles.list} aria-label="版本">
          {versions.map((version) => (
            <li key={version.revision}>
              <button
                type="button"
                aria-pressed={version.revision === selectedRevision}
                onClick={() => setChosen(version.revision)}
              >
                <strong>v{version.revision}</strong> <RelativeTime at={version.createdAt} />
                <small>
                  {versionLabel(version)}　{formatCount(version.wordCount)} 字
                </small>
                {version.editor === null ? null : <small>由编辑 {version.editor.displayName} 修改</small>}
              </button>
            </li>
          ))}
          {pages.hasNextPage ? (
            <li>
              <Button variant="ghost" size="small" onClick={() => pages.fetchNextPage()}>
                更早的
              </Button>
            </li>
          ) : null}
        </ol>
        <div className={styles.changes}>
          {selectedRevision === null ? null : (
            <>
              <p className={styles.legend}>
                从 v{selectedRevision} 到现在：红底是那时有、现在没有的，绿底是现在新有的。
              </p>
              <VersionChanges
                key={selectedRevision}
                id={id}
                revision={selectedRevision}
                currentText={currentText}
              />
            </>
          )}
        </div>
      </div>
    </WideDialog>
  );
}
