import type { Client, Output } from '@mozhan/contract/client.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type EssayFilter, EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { pathTo, useHrefs, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { describeResultCounts } from './result-counts.ts';
import styles from './search-results.module.css';

export const relatedMatchesQuery = (api: Client, keyword: string) =>
  callQuery(api, 'GET core/essay/suggest', { keyword: [...keyword].slice(0, 50).join('') });

function RelatedMatches({ tags, authors }: Pick<Output<'GET core/essay/suggest'>, 'tags' | 'authors'>) {
  const { userHref, tagHref } = useHrefs();
  if (tags.length === 0 && authors.length === 0) return null;
  return (
    <ul className={`row wraps ${styles.around}`} aria-label="相关的作者与标签">
      {authors.map(({ id, displayName, headImg }) => (
        <li key={id}>
          <a className={`row gap-2 text-s ${styles.person}`} href={userHref(id)}>
            <Avatar name={displayName} image={headImg} size="small" />
            {displayName}
          </a>
        </li>
      ))}
      {tags.map((tag) => (
        <li key={tag}>
          <Chip href={tagHref(tag)}>
            <Icon name="tag" small />
            {tag}
          </Chip>
        </li>
      ))}
    </ul>
  );
}

interface NoResultsProps {
  keyword: string;
  hasRelated: boolean;
  siteWideHref: string | undefined;
}

const NoResults = ({ keyword, hasRelated, siteWideHref }: NoResultsProps) => (
  <EmptyList title={hasRelated ? `没有提到「${keyword}」的文章` : `没有找到「${keyword}」`}>
    {hasRelated ? null : <p>换一个更短或更常见的说法试试；也可以只留最要紧的一个词，或者试试拼音。</p>}
    {siteWideHref === undefined ? null : (
      <p>
        这里只找了一个栏目，
        <a className="link" href={siteWideHref}>
          在全站再找一次
        </a>
        。
      </p>
    )}
  </EmptyList>
);

interface SearchResultsProps {
  keyword: string;
  filter: EssayFilter;
  page: number;
  /** The name of the searched category; undefined when everything is searched. */
  categoryName?: string | undefined;
  pageHref: (page: number) => string;
}

const noMatches = { tags: [], authors: [] };

export function SearchResults({ keyword, filter, page, categoryName, pageHref }: SearchResultsProps) {
  const api = useApi();
  const { href } = useRouter();
  const { data } = useInfiniteQuery(essayPages(api, filter, page));
  const { data: related = noMatches } = useQuery(relatedMatchesQuery(api, keyword));
  const first = data?.pages[0];
  const counts = { authors: related.authors.length, tags: related.tags.length };
  const siteWideHref =
    categoryName === undefined ? undefined : href(pathTo({ to: '/home', search: { keyword } }));
  return (
    <>
      <header className={`flex wraps divided ${styles.head}`}>
        <h1 className="text-h3">
          {categoryName === undefined ? '搜索' : `在「${categoryName}」里搜索`}「{keyword}」
        </h1>
        <p className="ink-3 text-m numbers" role="status">
          {first === undefined ? '正在搜索…' : describeResultCounts({ essays: first.total, ...counts })}
        </p>
      </header>
      {first?.corrected ? (
        <p className={`ink-2 text-m ${styles.remark}`}>
          没有「{keyword}」，以下是「
          <a className="link" href={href(pathTo({ to: '/home', search: { keyword: first.corrected } }))}>
            {first.corrected}
          </a>
          」的结果。
        </p>
      ) : null}
      <RelatedMatches {...related} />
      {first?.partial ? (
        <p className={`ink-2 text-m ${styles.remark}`}>没有完全匹配的文章，下面是部分匹配的。</p>
      ) : null}
      <EssayList
        label="搜索结果"
        filter={filter}
        firstPage={page}
        pageHref={pageHref}
        empty={
          <NoResults
            keyword={keyword}
            hasRelated={counts.authors + counts.tags > 0}
            siteWideHref={siteWideHref}
          />
        }
      />
    </>
  );
}
