import { errorMessageOf } from '@mozhan/client/errors.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { canEditEssay } from '#web/features/own-essays/essay-actions.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { SwitchField } from '#web/ui/field.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { TextChanges } from './compare.tsx';
import styles from './version-history.module.css';
import { VersionName } from './version-name.tsx';
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
  const queryClient = useQueryClient();
  const statusInfo = useStoreValue(essay.statusInfo);
  const [currentText] = useState(() => essay.read().content);
  const [chosen, setChosen] = useState<number | null>(null);
  const [namedOnly, setNamedOnly] = useState(false);
  const id = essay.autosave.saved()?.id ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['editor-history', id, essay.version.get(), namedOnly],
    enabled: id !== '',
    queryFn: async ({ pageParam, signal }) => {
      const answer = await api(
        'GET core/essay/{id}/revision',
        { id, ...(namedOnly && { named: FLAG.on }), ...pageParam },
        { signal },
      );
      return 'list' in answer ? answer : { list: [], next: null };
    },
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ next }) => (next === null ? undefined : { cursor: next }),
  });
  const versions = pages.data?.pages.flatMap(({ list }) => list) ?? [];
  const selectedRevision =
    chosen ?? (namedOnly ? undefined : versions[1]?.revision) ?? versions[0]?.revision ?? null;
  const selectedVersion = versions.find(({ revision }) => revision === selectedRevision);

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
        <div className={styles.side}>
          {id === '' ? null : (
            <SwitchField
              name="named"
              label="只看命名的"
              checked={namedOnly}
              onChange={({ target }) => {
                setNamedOnly(target.checked);
                setChosen(null);
              }}
            />
          )}
          {namedOnly && pages.isSuccess && versions.length === 0 ? (
            <p className={styles.none}>还没有命名的版本。选一个版本，就可以给它起名。</p>
          ) : null}
          <ol className={styles.list} aria-label="版本">
            {versions.map((version) => (
              <li key={version.revision}>
                <button
                  type="button"
                  aria-pressed={version.revision === selectedRevision}
                  onClick={() => setChosen(version.revision)}
                >
                  {version.name === null ? null : <b className={styles.name}>{version.name}</b>}
                  <strong>v{version.revision}</strong> <RelativeTime at={version.createdAt} />
                  <small>
                    {versionLabel(version)}　{formatCount(version.wordCount)} 字
                  </small>
                  {version.merged === 0 ? null : <small>自动合并了 {version.merged} 个版本</small>}
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
        </div>
        <div className={styles.changes}>
          {selectedRevision === null ? null : (
            <>
              <div className={styles.legend}>
                <p>从 v{selectedRevision} 到现在：红底是那时有、现在没有的，绿底是现在新有的。</p>
                {selectedVersion === undefined ? null : (
                  <VersionName
                    key={selectedRevision}
                    id={id}
                    revision={selectedRevision}
                    name={selectedVersion.name}
                    onChanged={() => queryClient.invalidateQueries({ queryKey: ['editor-history', id] })}
                  />
                )}
              </div>
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
