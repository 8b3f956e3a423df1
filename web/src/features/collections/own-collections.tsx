import type { Folder } from '@mozhan/contract/collections.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { toast } from '#web/ui/toast.tsx';
import { CollectedItem } from './collected-item.tsx';
import { FolderBar } from './folder-bar.tsx';
import { FolderDialog } from './folder-dialog.tsx';
import { FolderLinks } from './folder-links.tsx';
import { foldersQuery } from './folder-query.ts';
import { MoveDialog } from './move-dialog.tsx';
import styles from './own-collections.module.css';

const ID = /^[0-9a-f]{32}$/;
const SEARCH_DELAY_MS = 300;

/** Refetches the folders and the list, which change together. */
function useReload(): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  const [list] = callPagesQuery(api, 'GET core/user/profile/collect').queryKey;
  const [folders] = foldersQuery(api).queryKey;
  return () => {
    for (const route of [folders, list]) void queryClient.invalidateQueries({ queryKey: [route] });
  };
}

const itemSkeletons = (['70', '50', '82'] as const).map((width) => (
  <div key={width} className={styles.item}>
    <span className={styles.choose} />
    <div className="stack gap-2">
      <Skeleton width={width} height="m" />
      <Skeleton width="30" />
    </div>
  </div>
));

const emptyCollections = (
  <EmptyList
    level="h3"
    title="还没有收藏"
    withHomeLink
    text="读到想再看的文章，点一下星星，就会放进这里的收藏夹。"
  />
);

function emptyFor(keyword: string, folderId: string): ReactNode {
  if (keyword === '' && folderId === '') return emptyCollections;
  return (
    <EmptyList
      level="h3"
      title={keyword === '' ? '这个收藏夹还是空的' : `没有找到「${keyword}」`}
      text={
        keyword === ''
          ? '收藏时选它，或者把别处的文章移过来。'
          : '标题、作者、标签和正文里都没有，换个词试试。'
      }
    />
  );
}

interface CollectedListProps {
  folderId: string;
  folders: readonly Folder[];
}

function CollectedList({ folderId, folders }: CollectedListProps) {
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim(), SEARCH_DELAY_MS);
  const query = useCallPages('GET core/user/profile/collect', {
    ...(folderId !== '' && { folderId }),
    ...(keyword !== '' && { keyword }),
  });
  const isEmpty = typed === '' && keyword === '' && query.data?.pages[0]?.list.length === 0;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [moving, setMoving] = useState<readonly string[]>([]);
  const [isOpen, setOpen] = useState(false);
  const reload = useReload();
  const names = new Map(folders.map(({ id, name }) => [id, name]));

  function move(essayIds: readonly string[]): void {
    setMoving(essayIds);
    setOpen(true);
  }

  function onMoved({ name }: Folder): void {
    setOpen(false);
    setChosen([]);
    toast(`已移到「${name}」`);
    reload();
  }

  return (
    <>
      {isEmpty ? null : (
        <SearchField label="搜索收藏" placeholder="搜索收藏" value={typed} onChange={setTyped} />
      )}
      <InfiniteList
        label="收藏的文章"
        query={query}
        renderItem={(essay) => (
          <CollectedItem
            essay={essay}
            folderName={folderId === '' ? names.get(essay.folderId) : undefined}
            isChosen={chosen.includes(essay.id)}
            onChoose={(isChosen) =>
              setChosen(isChosen ? [...chosen, essay.id] : chosen.filter((id) => id !== essay.id))
            }
            onMove={() => move([essay.id])}
          />
        )}
        skeleton={itemSkeletons}
        empty={emptyFor(keyword, folderId)}
      />
      {chosen.length === 0 ? null : (
        <section className={`popup row gap-2 ${styles.chosen}`} aria-label="选中的文章">
          <p role="status">已选 {chosen.length} 篇</p>
          <Button variant="ghost" onClick={() => setChosen([])}>
            取消选择
          </Button>
          <Button variant="primary" onClick={() => move(chosen)}>
            移动
          </Button>
        </section>
      )}
      <MoveDialog
        open={isOpen}
        onOpenChange={setOpen}
        essayIds={moving}
        folders={folders.filter(({ id }) => id !== folderId)}
        onDone={onMoved}
      />
    </>
  );
}

export function OwnCollections({ search }: { search: URLSearchParams }) {
  const { href, navigate } = useRouter();
  const { data: folders = [], isPending } = useQuery(foldersQuery(useApi()));
  const reload = useReload();
  const [editing, setEditing] = useState<Folder | null>(null);
  const [isEditing, setIsEditing] = useState(false);
  const requestedId = ID.exec(search.get('folder') ?? '')?.[0] ?? '';
  const folder = folders.find(({ id }) => id === requestedId);
  const folderId = isPending ? requestedId : (folder?.id ?? '');
  const pathOf = (id: string) =>
    pathTo({ to: '/account/center.html', search: { tab: 'collect', folder: id || undefined } });

  function edit(folder: Folder | null): void {
    setEditing(folder);
    setIsEditing(true);
  }

  function onSaved({ id, name }: Folder): void {
    setIsEditing(false);
    toast(editing === null ? `已新建「${name}」` : '已保存');
    reload();
    if (editing === null) void navigate(pathOf(id), { keepScroll: true });
  }

  return (
    <section aria-labelledby="collections">
      <header className="row apart">
        <h2 id="collections">收藏</h2>
        <Button onClick={() => edit(null)}>
          <Icon name="plus" small />
          新建收藏夹
        </Button>
      </header>
      <FolderLinks folders={folders} selected={folderId} hrefOf={(id) => href(pathOf(id))} />
      {folder === undefined ? null : (
        <FolderBar
          folder={folder}
          others={folders.filter(({ id }) => id !== folder.id)}
          onEdit={() => edit(folder)}
          onRemoved={reload}
        />
      )}
      <CollectedList key={folderId} folderId={folderId} folders={folders} />
      <FolderDialog open={isEditing} onOpenChange={setIsEditing} folder={editing} onDone={onSaved} />
    </section>
  );
}
