import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import { EssayList } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { readerHomeQuery } from './personal-pages.ts';

const noEssays = (
  <EmptyList
    title="还没有关注的人，或他们还没有文章"
    actions={
      <Link to="/home" search={{ feed: 'latest' }} className={buttonClass()}>
        去看最新文章
      </Link>
    }
  >
    <p>读到喜欢的文章，点一下作者旁边的「关注」，新文章就会出现在这里。</p>
  </EmptyList>
);

/** From now on, only essays that are published later are new. */
function useMarkVisited(isSignedIn: boolean): void {
  const api = useApi();
  const queryClient = useQueryClient();

  useEffect(() => {
    if (!isSignedIn) return;
    api('PUT core/user/home').then(
      () =>
        queryClient.setQueryData(readerHomeQuery(api).queryKey, (home) => home && { ...home, newCount: 0 }),
      // The essays stay new.
      () => {},
    );
  }, [isSignedIn, api, queryClient]);
}

/** Essays of followed authors, loaded in the browser because the server renders pages for visitors. */
export function FollowingFeed() {
  const user = useCurrentUser();
  useMarkVisited(user !== null);
  if (user !== null)
    return <EssayList label="关注的人的文章" filter={{ feed: 'following' }} empty={noEssays} />;
  return (
    <>
      <div data-for="guest">
        <EmptyList
          title="登录后，看关注的人写了什么"
          actions={
            <Link to="/login.html" search={{ redirect: '/home?feed=following' }} className={buttonClass()}>
              登录 / 注册
            </Link>
          }
        >
          <p>不登录也能读遍全站；关注作者以后，新文章会按时间排在这里。</p>
        </EmptyList>
      </div>
      <div data-for="member" aria-hidden="true">
        <EssayEntrySkeleton />
      </div>
    </>
  );
}
