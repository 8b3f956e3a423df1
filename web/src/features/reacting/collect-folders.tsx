import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import type { CollectState, Folder } from '@mozhan/contract/collections.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, SwitchField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { menuItemClass } from '#web/ui/menu.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './collect-folders.module.css';

interface NewFolderProps {
  onCreated: (folder: Folder) => void;
  onCancel: () => void;
}

function NewFolder({ onCreated, onCancel }: NewFolderProps) {
  const api = useApi();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: { name: string; isPublic: boolean }) => api('POST core/user/folder', input),
    onSuccess: onCreated,
  });

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const name = String(data.get('name') ?? '').trim();
    if (name !== '' && !isPending) mutate({ name, isPublic: data.get('isPublic') !== null });
  }

  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <Field
        name="name"
        label="新收藏夹"
        placeholder="名称"
        maxLength={30}
        autoComplete="off"
        autoFocus
        error={error === null ? undefined : (asCallError(error)?.fields?.name ?? errorMessageOf(error))}
      />
      <SwitchField name="isPublic" label="公开" description="别人可以在你的主页看到" />
      <div className="flex end gap-2">
        <Button size="small" onClick={onCancel}>
          取消
        </Button>
        <Button size="small" variant="primary" type="submit" busy={isPending}>
          新建并移入
        </Button>
      </div>
    </form>
  );
}

interface CollectFoldersProps {
  essayId: string;
  /** Null until the server has responded. */
  folderId: string | null;
  onMoved: (state: CollectState) => void;
}

/** Shows the folder of a collected essay and lets the reader move it. */
export function CollectFolders({ essayId, folderId, onMoved }: CollectFoldersProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const foldersQuery = callQuery(api, 'GET core/user/folder');
  const { data: folders = [], isLoading } = useQuery(foldersQuery);
  const [view, setView] = useState<'collected' | 'folders' | 'new'>('collected');
  const { mutate: move, isPending } = useMutation({
    mutationFn: (folder: Folder) => api('POST core/essay/collect', { essayId, folderId: folder.id }),
    onSuccess: (state, folder) => {
      onMoved(state);
      setView('collected');
      toast(`已移到「${folder.name}」`);
      void queryClient.invalidateQueries({ queryKey: foldersQuery.queryKey });
    },
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  const name = folders.find(({ id }) => id === folderId)?.name ?? '默认收藏夹';

  if (view === 'new')
    return (
      <NewFolder
        onCreated={(folder) => {
          queryClient.setQueryData(foldersQuery.queryKey, (list) => list && [...list, folder]);
          move(folder);
        }}
        onCancel={() => setView('folders')}
      />
    );
  if (view === 'collected')
    return (
      <div className={`row gap-2 ${styles.said}`}>
        <p className="grow" role="alert">
          已收藏到 <b>{name}</b>
        </p>
        <Button size="small" variant="ghost" onClick={() => setView('folders')}>
          换一个
        </Button>
      </div>
    );
  // The list would push the button below it from under the pointer.
  if (isLoading)
    return (
      <div className={styles.folders}>
        <p className={`ink-3 text-s ${styles.loading}`} role="status">
          正在载入…
        </p>
      </div>
    );
  return (
    <div className={styles.folders}>
      <ul aria-label="收藏夹">
        {folders.map((folder) => (
          <li key={folder.id}>
            <button
              type="button"
              className={menuItemClass('narrow')}
              aria-current={folder.id === folderId}
              aria-disabled={isPending || undefined}
              onClick={() => (folder.id === folderId ? setView('collected') : isPending || move(folder))}
            >
              <span className="grow">{folder.name}</span>
              {folder.isPublic ? <small className="text-xs">公开</small> : <Icon name="lock" small />}
              {folder.isPublic ? null : <span className="sr">不公开</span>}
              {folder.id === folderId ? <Icon name="check" small /> : null}
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className={`ink-2 ${menuItemClass('narrow')} ${styles.add}`}
        onClick={() => setView('new')}
      >
        <Icon name="plus" small />
        新建收藏夹
      </button>
    </div>
  );
}
