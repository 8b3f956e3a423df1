import type { Client, Output } from '@mozhan/contract/client.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type EssayFilter, EssayList, essayPages } from '#web/features/essays/essay-list.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { pathTo, usePlaces, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { describeFound } from './found.ts';
import styles from './search-results.module.css';

export const aroundQuery = (api: Client, keyword: string) =>
  call(api, 'GET core/essay/suggest', { keyword: [...keyword].slice(0, 50).join('') });

/** Tags and people that the words fit as well. */
function Around({ tags, authors }: Pick<Output<'GET core/essay/suggest'>, 'tags' | 'authors'>) {
  const { personHref, tagHref } = usePlaces();
  if (tags.length === 0 && authors.length === 0) return null;
  return (
    <ul className={`row wraps ${styles.around}`} aria-label="相关的作者与标签">
      {authors.map(({ id, displayName, headImg }) => (
        <li key={id}>
          <a className={`row gap-2 text-s ${styles.person}`} href={personHref(id)}>
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

interface HelpProps {
  keyword: string;
  /** People or tags were found. */
  isFound: boolean;
  elsewhere: string | undefined;
}

const Help = ({ keyword, isFound, elsewhere }: HelpProps) => (
  <NothingYet title={isFound ? `没有提到「${keyword}」的文章` : `没有找到「${keyword}」`}>
    {isFound ? null : <p>换一个更短或更常见的说法试试；也可以只留最要紧的一个词，或者试试拼音。</p>}
    {elsewhere === undefined ? null : (
      <p>
        这里只找了一个栏目，
        <a className="link" href={elsewhere}>
          在全站再找一次
        </a>
        。
      </p>
    )}
  </NothingYet>
);

interface SearchResultsProps {
  keyword: string;
  filter: EssayFilter;
  page: number;
  /** The name of what is searched in; none: everything. */
  place?: string | undefined;
  pageHref: (page: number) => string;
}

const nothing = { tags: [], authors: [] };

/** What a search found, with what was searched for marked. */
export function SearchResults({ keyword, filter, page, place, pageHref }: SearchResultsProps) {
  const api = useApi();
  const { href } = useRouter();
  const { data } = useInfiniteQuery(essayPages(api, filter, page));
  const { data: around = nothing } = useQuery(aroundQuery(api, keyword));
  const first = data?.pages[0];
  const found = { people: around.authors.length, tags: around.tags.length };
  const elsewhere = place === undefined ? undefined : href(pathTo({ to: '/home', search: { keyword } }));
  return (
    <>
      <header className={`flex wraps divided ${styles.head}`}>
        <h1 className="text-h3">
          {place === undefined ? '搜索' : `在「${place}」里搜索`}「{keyword}」
        </h1>
        <p className="ink-3 text-m numbers" role="status">
          {first === undefined ? '正在搜索…' : describeFound({ essays: first.total, ...found })}
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
      <Around {...around} />
      {first?.partial ? (
        <p className={`ink-2 text-m ${styles.remark}`}>没有完全匹配的文章，下面是部分匹配的。</p>
      ) : null}
      <EssayList
        label="搜索结果"
        filter={filter}
        firstPage={page}
        pageHref={pageHref}
        empty={<Help keyword={keyword} isFound={found.people + found.tags > 0} elsewhere={elsewhere} />}
      />
    </>
  );
}
