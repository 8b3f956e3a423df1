import type { Output } from '@mozhan/contract/client.ts';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EssayEntry, EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import type { EssayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { Link, useHrefs } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './personal-feed.module.css';
import { formatNewCount, personalPages, readerHomeQuery } from './personal-pages.ts';

type ReaderHome = Output<'GET core/user/home'>;

function Unfinished({ essays }: { essays: ReaderHome['unfinished'] }) {
  const { essayHref } = useHrefs();
  if (essays.length === 0) return null;
  return (
    <section aria-labelledby="unfinished">
      <h2 id="unfinished" className="row gap-2 ink-3 text-s">
        <Icon name="book" small />
        继续阅读
      </h2>
      <ul className={styles.unfinished}>
        {essays.map((essay) => (
          <li key={essay.id}>
            <a className={`bold ellipsis ${styles.title}`} href={essayHref(essay)}>
              {essay.title}
            </a>
            <div className="row gap-3 ink-3 text-s numbers">
              <Progress value={essay.progress / 100} label={`《${essay.title}》读到的位置`} />
              <span>读到 {essay.progress}%</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

const NewEssays = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <Link to="/home" search={{ feed: 'following' }} className={`row gap-2 text-m ${styles.news}`}>
      <Icon name="users" small />
      <span className="grow">关注的人有 {formatNewCount(count)}新文章</span>
    </Link>
  );

const latestLink = (
  <Link to="/home" search={{ feed: 'latest' }} className={buttonClass()}>
    去看最新文章
  </Link>
);

const allRead = (
  <EmptyList title="推荐的文章都读过了" actions={latestLink}>
    <p>有了新文章，会出现在这里。多关注几位作者、几个标签，推荐会更合口味。</p>
  </EmptyList>
);

/** What a signed-in reader sees at 推荐: everything appears at once, so that nothing moves afterwards. */
export function PersonalFeed({ skeleton }: { skeleton: ReactNode }) {
  const api = useApi();
  const home = useQuery({ ...readerHomeQuery(api), staleTime: 0 });
  const pages = useInfiniteQuery(personalPages(api));
  if (home.isPending || pages.isPending) return skeleton;
  const hasEssays = pages.data?.pages.some(({ list }) => list.length > 0) ?? false;
  return (
    <>
      {home.data === undefined ? null : (
        <div className={styles.top}>
          <Unfinished essays={home.data.unfinished} />
          <NewEssays count={home.data.newCount} />
        </div>
      )}
      <InfiniteList
        label="推荐给你的文章"
        query={pages as UseInfiniteQueryResult<EssayPages>}
        renderItem={(essay) => <EssayEntry essay={essay} />}
        empty={allRead}
        skeleton={<EssayEntrySkeleton />}
      />
      {hasEssays && !pages.hasNextPage ? (
        <div className={styles.end}>
          <p>没读过的文章都在上面了</p>
          {latestLink}
        </div>
      ) : null}
    </>
  );
}
