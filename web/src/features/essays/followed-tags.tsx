import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { useHrefs } from '#web/router/router.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './followed-tags.module.css';
import { TagFollowButton } from './tag-follow-button.tsx';

/** The tags that the current user follows. */
export function FollowedTags() {
  const { tagHref } = useHrefs();
  const query = useInfiniteQuery(callPagesQuery(useApi(), 'GET core/essay/tag/follow'));
  return (
    <section aria-labelledby="followed-tags">
      <h2 id="followed-tags" className={styles.title}>
        关注的标签
      </h2>
      <InfiniteList
        label="关注的标签"
        query={query as UseInfiniteQueryResult<NonNullable<typeof query.data>>}
        keyOf={({ name }) => name}
        renderItem={({ name, count }) => (
          <div className={`row gap-3 divided ${styles.row}`}>
            <Icon name="tag" />
            <a className="grow bold ellipsis" href={tagHref(name)}>
              {name}
            </a>
            <span className="ink-3 text-s">{formatCount(count)} 篇</span>
            <TagFollowButton tag={name} isFollowed />
          </div>
        )}
        skeleton={['30', '50', '30'].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
          <div key={index} className={`row divided ${styles.row}`}>
            <Skeleton width={width as '30'} height="m" />
          </div>
        ))}
        empty={
          <EmptyList
            level="h3"
            title="还没有关注的标签"
            text="打开一个标签，点「关注」，它的新文章会出现在首页的「推荐」里。"
          />
        }
      />
    </section>
  );
}
