import { PublicFolders } from '#web/features/collections/public-folders.tsx';
import { type Keeping, KeptEssays, keptPages } from '#web/features/essays/kept-essays.tsx';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';
import { usePlaces } from '#web/router/router.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';

interface Address {
  /** Whose. */
  id: string;
  tab: string;
  /** The id of a folder of theirs, or ''. */
  folder: string;
  page: number;
}

/** Nothing there, or nothing that others may see: it looks the same. */
const nothing: Record<Keeping, { words: string; title: string; rest: string }> = {
  like: { words: '点赞的文章', title: '没有公开的点赞', rest: '还没有赞过文章，或者选择了不公开。' },
  share: { words: '分享的文章', title: '没有公开的分享', rest: '还没有分享过文章，或者选择了不公开。' },
  collect: { words: '收藏的文章', title: 'TA 没有公开收藏', rest: '还没有公开的收藏夹，或者里面还是空的。' },
};

const keepingOf = (tab: string): Keeping | undefined =>
  tab === 'like' || tab === 'share' || tab === 'collect' ? tab : undefined;

const whoseOf = ({ id, folder }: Address) => ({ userId: id, ...(folder !== '' && { folderId: folder }) });

/** Rejects with 404 for a page that is not there. */
export async function loadPersonKept({ api, queryClient }: LoadContext, address: Address): Promise<void> {
  const keeping = keepingOf(address.tab);
  if (keeping === undefined) return;
  const { pages } = await queryClient.ensureInfiniteQueryData(
    keptPages(api, keeping, whoseOf(address), address.page),
  );
  if (address.page > 1 && pages[0]?.list.length === 0) throw new NotFound();
}

interface PersonKeptProps extends Address {
  name: string;
  pageHref: (page: number) => string;
}

/** What somebody liked, shared or collected, as far as others may see it; nothing in their other tabs. */
export function PersonKept({ name, pageHref, ...address }: PersonKeptProps) {
  const { personHref } = usePlaces();
  const { id, tab } = address;
  const keeping = keepingOf(tab);
  if (keeping === undefined) return null;
  const { words, title, rest } = nothing[keeping];
  return (
    <>
      {keeping === 'collect' ? (
        <PublicFolders
          userId={id}
          selected={address.folder}
          hrefOf={(folder) => personHref(id, { tab, ...(folder !== '' && { folder }) })}
        />
      ) : null}
      <KeptEssays
        key={`${keeping} ${address.folder}`}
        keeping={keeping}
        {...whoseOf(address)}
        label={words}
        firstPage={address.page}
        pageHref={pageHref}
        empty={
          <NothingYet
            title={address.folder === '' ? title : '这个收藏夹还是空的'}
            text={address.folder === '' ? `${name}${rest}` : `${name}收藏了文章以后，会出现在这里。`}
          />
        }
      />
    </>
  );
}
