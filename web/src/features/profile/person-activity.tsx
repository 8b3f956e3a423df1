import { PublicFolders } from '#web/features/collections/public-folders.tsx';
import {
  type EssayActivity,
  EssayActivityList,
  essayActivityPages,
} from '#web/features/essays/essay-activity-list.tsx';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';
import { useHrefs } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';

interface ActivityListParams {
  /** The user's id. */
  id: string;
  tab: string;
  /** The id of a folder of the user, or ''. */
  folder: string;
  page: number;
}

/** An empty list and a private one look the same. */
const emptyTexts: Record<EssayActivity, { label: string; title: string; rest: string }> = {
  like: { label: '点赞的文章', title: '没有公开的点赞', rest: '还没有赞过文章，或者选择了不公开。' },
  share: { label: '分享的文章', title: '没有公开的分享', rest: '还没有分享过文章，或者选择了不公开。' },
  collect: { label: '收藏的文章', title: '没有公开的收藏', rest: '还没有公开的收藏夹，或者里面还是空的。' },
};

const activityOf = (tab: string): EssayActivity | undefined =>
  tab === 'like' || tab === 'share' || tab === 'collect' ? tab : undefined;

const activityFilterOf = ({ id, folder }: ActivityListParams) => ({
  userId: id,
  ...(folder !== '' && { folderId: folder }),
});

/** Rejects with 404 for a page that does not exist. */
export async function loadPersonActivity(
  { api, queryClient }: LoadContext,
  homeParams: ActivityListParams,
): Promise<void> {
  const activity = activityOf(homeParams.tab);
  if (activity === undefined) return;
  const { pages } = await queryClient.ensureInfiniteQueryData(
    essayActivityPages(api, activity, activityFilterOf(homeParams), homeParams.page),
  );
  if (homeParams.page > 1 && pages[0]?.list.length === 0) throw new NotFoundError();
}

interface PersonActivityProps extends ActivityListParams {
  name: string;
  pageHref: (page: number) => string;
}

/** Essays that a user liked, shared or collected, as far as they are public; nothing in the other tabs. */
export function PersonActivity({ name, pageHref, ...homeParams }: PersonActivityProps) {
  const { userHref } = useHrefs();
  const { id, tab } = homeParams;
  const activity = activityOf(tab);
  if (activity === undefined) return null;
  const { label, title, rest } = emptyTexts[activity];
  return (
    <>
      {activity === 'collect' ? (
        <PublicFolders
          userId={id}
          selected={homeParams.folder}
          hrefOf={(folder) => userHref(id, { tab, ...(folder !== '' && { folder }) })}
        />
      ) : null}
      <EssayActivityList
        key={`${activity} ${homeParams.folder}`}
        activity={activity}
        {...activityFilterOf(homeParams)}
        label={label}
        firstPage={homeParams.page}
        pageHref={pageHref}
        empty={
          <EmptyList
            title={homeParams.folder === '' ? title : '这个收藏夹还是空的'}
            text={homeParams.folder === '' ? `${name}${rest}` : `${name}收藏了文章以后，会出现在这里。`}
          />
        }
      />
    </>
  );
}
