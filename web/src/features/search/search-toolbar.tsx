import type { EssayCard } from '@mozhan/contract/essays.ts';
import type { ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import type { SearchChoices } from './search-options.ts';
import styles from './search-toolbar.module.css';

/** A change of the search; `category` is the slug, null for all. */
export type SearchChange = Partial<SearchChoices> & { category?: string | null };

interface SearchToolbarProps {
  choices: SearchChoices;
  category?: { slug: string; name: string } | undefined;
  /** The results of the first page, whose authors and tags are offered. */
  results: readonly EssayCard[];
  /** The link of the search with a change, base path included. */
  hrefOf: (change: SearchChange) => string;
}

const sorts = [
  { key: '', label: '相关' },
  { key: 'latest', label: '最新' },
  { key: 'hot', label: '最热' },
] as const;

const times = [
  { value: '', label: '不限' },
  { value: 'week', label: '一周内' },
  { value: 'month', label: '一个月内' },
  { value: 'year', label: '一年内' },
] as const;

const prices = [
  { value: '', label: '不限' },
  { value: 'free', label: '免费' },
  { value: 'paid', label: '付费' },
] as const;

const MAX_OFFERED = 8;

interface Choice {
  value: string;
  label: string;
  href: string;
}

interface ChoiceRowProps {
  label: string;
  selected: string;
  choices: readonly Choice[];
}

const ChoiceRow = ({ label, selected, choices }: ChoiceRowProps): ReactNode => (
  <fieldset className={styles.choices}>
    <legend className="ink-3 text-s">{label}</legend>
    <ul>
      {choices.map(({ value, label, href }) => (
        <li key={value}>
          <a href={href} aria-current={value === selected ? 'true' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </fieldset>
);

/** Sorting and filters of search results; all are links, so that they work before scripts are loaded. */
export function SearchToolbar({ choices, category, results, hrefOf }: SearchToolbarProps) {
  const { categories } = useSite();
  const { sort, since, price, author, tag } = choices;
  const names = new Map(results.map(({ author }) => [author.id, author.displayName]));
  if (author !== '' && !names.has(author)) names.set(author, '选定的作者');
  const tags = [...new Set([...(tag === '' ? [] : [tag]), ...results.flatMap((essay) => essay.tags)])];
  const active = [category?.name, times.find(({ value }) => value !== '' && value === since)?.label]
    .concat(prices.find(({ value }) => value !== '' && value === price)?.label)
    .concat(author === '' ? undefined : names.get(author), tag || undefined)
    .filter((label) => label !== undefined);
  return (
    <div className={styles.toolbar}>
      <LinkTabs
        label="搜索结果的排序"
        selected={sort ?? ''}
        tabs={sorts.map(({ key, label }) => ({ key, label, href: hrefOf({ sort: key }) }))}
      />
      <details className={styles.filters} open={active.length > 0}>
        <summary className="ink-2">
          筛选
          {active.length === 0 ? null : (
            <>
              <span className="sr">，已选</span>
              <small className="numbers">{active.length}</small>
            </>
          )}
        </summary>
        <div className={styles.panel}>
          <ChoiceRow
            label="分类"
            selected={category?.slug ?? ''}
            choices={[{ slug: '', name: '不限' }, ...categories].map(({ slug, name }) => ({
              value: slug,
              label: name,
              href: hrefOf({ category: slug === '' ? null : slug }),
            }))}
          />
          <ChoiceRow
            label="时间"
            selected={since ?? ''}
            choices={times.map((each) => ({ ...each, href: hrefOf({ since: each.value }) }))}
          />
          <ChoiceRow
            label="价格"
            selected={price ?? ''}
            choices={prices.map((each) => ({ ...each, href: hrefOf({ price: each.value }) }))}
          />
          {names.size === 0 ? null : (
            <ChoiceRow
              label="作者"
              selected={author}
              choices={[['', '不限'] as const, ...[...names].slice(0, MAX_OFFERED)].map(([id, name]) => ({
                value: id,
                label: name,
                href: hrefOf({ author: id }),
              }))}
            />
          )}
          {tags.length === 0 ? null : (
            <ChoiceRow
              label="标签"
              selected={tag}
              choices={['', ...tags.slice(0, MAX_OFFERED)].map((name) => ({
                value: name,
                label: name || '不限',
                href: hrefOf({ tag: name }),
              }))}
            />
          )}
          {active.length === 0 ? null : (
            <a
              className={`link text-s ${styles.clear}`}
              href={hrefOf({ since: '', price: '', author: '', tag: '', category: null })}
            >
              清除全部筛选
            </a>
          )}
        </div>
      </details>
    </div>
  );
}
