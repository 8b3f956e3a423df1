import type { Client } from '@mozhan/contract/client.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { formatCount } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './sidebar.module.css';
import { TitleText } from './title-text.tsx';

const hotQuery = (api: Client, category?: string) =>
  callQuery(api, 'GET core/essay/', { feed: 'hot', category, pageSize: 8 });

const tagsQuery = (api: Client) => callQuery(api, 'GET core/essay/tag', { limit: 20 });

export const sidebarQueries = (api: Client, category?: string) => [hotQuery(api, category), tagsQuery(api)];

export function HotRanking({ category }: { category?: string }) {
  const { essayHref } = useHrefs();
  const essays = useQuery(hotQuery(useApi(), category)).data?.list ?? [];
  if (essays.length === 0) return null;
  return (
    <section aria-labelledby="hot">
      <h2 id="hot" className={`row gap-2 text-l ${styles.title}`}>
        <Icon name="flame" />
        热榜
      </h2>
      <CachedFragment
        name="hot"
        input={essays.map(({ id, slug, title, titleBreaks, readCount }) => [
          id,
          slug,
          title,
          titleBreaks,
          readCount,
        ])}
      >
        <ol className={styles.ranking}>
          {essays.map(({ id, slug, title, titleBreaks, readCount }) => (
            <li key={id}>
              <a href={essayHref({ id, slug })}>
                <TitleText title={title} titleBreaks={titleBreaks} />
              </a>
              <small>
                {formatCount(readCount)}
                <span className="sr"> 次阅读</span>
              </small>
            </li>
          ))}
        </ol>
      </CachedFragment>
    </section>
  );
}

export function TagCloud() {
  const { tagHref } = useHrefs();
  const tags = useQuery(tagsQuery(useApi())).data ?? [];
  if (tags.length === 0) return null;
  return (
    <section aria-labelledby="tags">
      <h2 id="tags" className={`row gap-2 text-l ${styles.title}`}>
        <Icon name="tag" />
        标签
      </h2>
      <CachedFragment name="tags" input={tags}>
        <ul className={`flex wraps gap-2 ${styles.tags}`}>
          {tags.map(({ name, count }) => (
            <li key={name}>
              <Chip href={tagHref(name)}>
                {name}
                <small>
                  {formatCount(count)}
                  <span className="sr"> 篇</span>
                </small>
              </Chip>
            </li>
          ))}
        </ul>
      </CachedFragment>
    </section>
  );
}
