import type { Client } from '@mozhan/contract/client.ts';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { formatCount } from '#web/lib/format.ts';
import { callQuery, useQueryData } from '#web/lib/queries.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './sidebar.module.css';
import { TitleText } from './title-text.tsx';

const hotQuery = (api: Client, category?: string) =>
  callQuery(api, 'GET core/essay/ranking', category === undefined ? {} : { category });

const RANKING_SIZE = 8;

const tagsQuery = (api: Client) => callQuery(api, 'GET core/essay/tag', { limit: 20 });

export const sidebarQueries = (api: Client, category?: string) => [hotQuery(api, category), tagsQuery(api)];

interface HotRankingProps {
  category?: string | undefined;
  /** Essays of the list beside it. */
  excluded: ReadonlySet<string>;
  /** Hidden from signed-in readers until hydration. */
  guestsOnly?: boolean;
}

/** The hottest essays that the list beside it does not show, without their ranks, which would have gaps. */
export function HotRanking({ category, excluded, guestsOnly = false }: HotRankingProps) {
  const { essayHref } = useHrefs();
  const ranking = useQueryData(hotQuery(useApi(), category)) ?? [];
  const essays = ranking.filter(({ id }) => !excluded.has(id)).slice(0, RANKING_SIZE);
  if (essays.length === 0) return null;
  return (
    <CachedFragment name="hot" input={[guestsOnly, essays]}>
      <section aria-labelledby="hot" data-for={guestsOnly ? 'guest' : undefined}>
        <h2 id="hot" className={`row gap-2 text-l ${styles.title}`}>
          <Icon name="flame" />
          更多热门
        </h2>
        <ul className={styles.ranking}>
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
        </ul>
      </section>
    </CachedFragment>
  );
}

export function TagCloud() {
  const { tagHref } = useHrefs();
  const tags = useQueryData(tagsQuery(useApi())) ?? [];
  if (tags.length === 0) return null;
  return (
    <CachedFragment name="tags" input={tags}>
      <section aria-labelledby="tags">
        <h2 id="tags" className={`row gap-2 text-l ${styles.title}`}>
          <Icon name="tag" />
          标签
        </h2>
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
      </section>
    </CachedFragment>
  );
}
