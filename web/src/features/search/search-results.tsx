import type { Client, Output } from '@mozhan/contract/client.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type EssayFilter, EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { formatCount } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { pathTo, useHrefs, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { describeResultCounts } from './result-counts.ts';
import type { SearchChoices } from './search-options.ts';
import styles from './search-results.module.css';
import { type SearchChange, SearchToolbar } from './search-toolbar.tsx';

export const relatedMatchesQuery = (api: Client, keyword: string) =>
  callQuery(api, 'GET core/essay/suggest', {
    keyword: [...keyword].slice(0, 50).join(''),
    essays: FLAG.off,
  });

type Related = Pick<Output<'GET core/essay/suggest'>, 'tags' | 'authors' | 'columns'>;

/** The people, columns and tags that the keyword names. */
function RelatedMatches({ tags, authors, columns }: Related) {
  const { userHref, tagHref, columnHref } = useHrefs();
  return (
    <>
      {authors.length === 0 ? null : (
        <ul className={styles.people} aria-label="作者">
          {authors.map(({ id, displayName, headImg, title, essayCount, followerCount }) => (
            <li key={id} className={`row gap-3 ${styles.person}`}>
              <Avatar name={displayName} image={headImg} size="face" />
              <div className={styles.words}>
                <p className="row gap-2">
                  <a className="stretched bold" href={userHref(id)}>
                    {displayName}
                  </a>
                  <span className="ellipsis ink-3 text-s">{title}</span>
                </p>
                <p className="ellipsis ink-3 text-s numbers">
                  {formatCount(essayCount)} 篇文章 · {formatCount(followerCount)} 人关注
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {tags.length + columns.length === 0 ? null : (
        <ul className={`row wraps ${styles.around}`} aria-label="专栏与标签">
          {columns.map(({ id, name, essayCount }) => (
            <li key={id}>
              <Chip href={columnHref(id)}>
                <Icon name="book" small />
                {name}
                <small className="ink-3">专栏 · {essayCount} 篇</small>
              </Chip>
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
      )}
    </>
  );
}

interface NoResultsProps {
  keyword: string;
  hasRelated: boolean;
  /** Set if the search is limited. */
  unlimitedHref: string | undefined;
}

function NoResults({ keyword, hasRelated, unlimitedHref }: NoResultsProps) {
  if (unlimitedHref !== undefined)
    return (
      <EmptyList title={`这些条件下没有「${keyword}」`}>
        <p>
          这里只找了一部分文章，
          <a className="link" href={unlimitedHref}>
            在全站再找一次
          </a>
          。
        </p>
      </EmptyList>
    );
  return (
    <EmptyList title={hasRelated ? `没有提到「${keyword}」的文章` : `没有找到「${keyword}」`}>
      {hasRelated ? null : <p>换一个更短或更常见的说法试试；也可以只留最要紧的一个词，或者试试拼音。</p>}
    </EmptyList>
  );
}

interface SearchResultsProps {
  keyword: string;
  filter: EssayFilter;
  choices: SearchChoices;
  page: number;
  /** The searched category; undefined when everything is searched. */
  category?: { slug: string; name: string } | undefined;
  pageHref: (page: number) => string;
  hrefOf: (change: SearchChange) => string;
}

const noMatches = { tags: [], authors: [], columns: [] };

export function SearchResults(props: SearchResultsProps) {
  const { keyword, filter, choices, page, category, pageHref, hrefOf } = props;
  const api = useApi();
  const { href } = useRouter();
  const { data } = useInfiniteQuery(essayPages(api, filter, page));
  const { data: related = noMatches } = useQuery(relatedMatchesQuery(api, keyword));
  const first = data?.pages[0];
  const counts = {
    authors: related.authors.length,
    columns: related.columns.length,
    tags: related.tags.length,
  };
  const { since, price, author, tag } = choices;
  const isLimited = category !== undefined || [since, price, author, tag].some(Boolean);
  return (
    <>
      <header className={`flex wraps ${styles.head}`}>
        <h1 className="text-h3">
          {category === undefined ? '搜索' : `在「${category.name}」里搜索`}「{keyword}」
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
      {first === undefined || first.total > 0 || isLimited ? (
        <SearchToolbar choices={choices} category={category} results={first?.list ?? []} hrefOf={hrefOf} />
      ) : null}
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
            hasRelated={counts.authors + counts.columns + counts.tags > 0}
            unlimitedHref={isLimited ? href(pathTo({ to: '/home', search: { keyword } })) : undefined}
          />
        }
      />
    </>
  );
}
