import type { Category } from '@mozhan/contract/categories.ts';
import type { CategoryMapping, ImportCheck, ImportMapping } from '@mozhan/contract/import-checks.ts';
import { Button, Flex, Input, Radio, Select } from 'antd';
import { type ReactNode, useState } from 'react';
import { SmallPagination } from '#admin/ui/small-pagination.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import styles from './import.module.css';
import { sectionText } from './labels.tsx';

const PAGE_SIZE = 10;
const MAX_CATEGORY_NAME = 20;

interface RowsProps {
  check: ImportCheck;
  mapping: ImportMapping;
  onChange: (change: Partial<ImportMapping>) => void;
}

interface PagedRowsProps<T> {
  label: string;
  rows: readonly T[];
  /** There are more than can be mapped one by one. */
  total: number;
  children: (row: T) => ReactNode;
}

function PagedRows<T>({ label, rows, total, children }: PagedRowsProps<T>) {
  const [page, setPage] = useState(1);
  return (
    <>
      <ul className={styles.rows} aria-label={label}>
        {rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(children)}
      </ul>
      <SmallPagination page={page} pageSize={PAGE_SIZE} total={rows.length} onChange={setPage} />
      {total > rows.length ? (
        <p className={styles.hint}>
          还有 {(total - rows.length).toLocaleString('zh-CN')} 个没有列出，按默认的方式处理。
        </p>
      ) : null}
    </>
  );
}

const OldName = ({ name, count, unit = '篇' }: { name: string; count: number; unit?: string }) => (
  <div className={styles.old}>
    <strong>{name}</strong>
    <small>
      {count.toLocaleString('zh-CN')} {unit}
    </small>
  </div>
);

/** Replaces the entry with the same key, or adds it. */
const replace = <T,>(entries: readonly T[], entry: T, keyOf: (entry: T) => string): T[] => [
  ...entries.filter((each) => keyOf(each) !== keyOf(entry)),
  entry,
];

const shortName = (name: string): string => [...name].slice(0, MAX_CATEGORY_NAME).join('').trim();
const toChoice = ({ to, categoryId = '' }: CategoryMapping): string => (to === 'category' ? categoryId : to);
const toCategory = (name: string, choice: string): CategoryMapping => {
  if (choice === 'tag') return { name, to: 'tag' };
  return choice === 'new'
    ? { name, to: 'new', newName: shortName(name) }
    : { name, to: 'category', categoryId: choice };
};

export function CategoryRows({
  check,
  mapping,
  categories,
  onChange,
}: RowsProps & { categories: readonly Category[] }) {
  const options = [
    { value: 'tag', label: '只作为标签' },
    { value: 'new', label: '新建分类' },
    { label: '本站的分类', options: categories.map(({ id, name }) => ({ value: id, label: name })) },
  ];
  const chosen = new Map(mapping.categories.map((entry) => [entry.name, entry]));
  const change = (entry: CategoryMapping) =>
    onChange({ categories: replace(mapping.categories, entry, ({ name }) => name) });
  /** Those that have a category here keep it. */
  const changeOthers = (choice: 'new' | 'tag') =>
    onChange({
      categories: mapping.categories.map((entry) =>
        entry.to === 'category' ? entry : toCategory(entry.name, choice),
      ),
    });
  const hasOthers = mapping.categories.some(({ to }) => to !== 'category');
  return (
    <>
      {hasOthers && check.categories.length > 1 ? (
        <Flex gap={8} wrap className={styles.bulk}>
          <span>本站没有的：</span>
          <Button size="small" onClick={() => changeOthers('tag')}>
            都作为标签
          </Button>
          <Button size="small" onClick={() => changeOthers('new')}>
            都新建分类
          </Button>
        </Flex>
      ) : null}
      <PagedRows label="分类的对应" rows={check.categories} total={check.counts.categories}>
        {({ name, count }) => {
          const entry = chosen.get(name) ?? { name, to: 'tag' };
          return (
            <li key={name}>
              <OldName name={name} count={count} />
              <Flex gap={8} wrap className={styles.target}>
                <Select
                  aria-label={`分类「${name}」成为`}
                  value={toChoice(entry)}
                  options={options}
                  onChange={(choice) => change(toCategory(name, choice))}
                />
                {entry.to === 'new' ? (
                  <Input
                    aria-label={`分类「${name}」的新名称`}
                    value={entry.newName ?? ''}
                    maxLength={MAX_CATEGORY_NAME}
                    placeholder="最多 10 个字"
                    onChange={({ target }) => change({ ...entry, newName: target.value })}
                  />
                ) : null}
              </Flex>
            </li>
          );
        }}
      </PagedRows>
    </>
  );
}

const authorOptions = [
  { value: 'user', label: '本站的作者' },
  { value: 'new', label: '新建账号' },
];

export function AuthorRows({ check, mapping, onChange }: RowsProps) {
  const [isAll, setIsAll] = useState(mapping.allTo !== null);
  const chosen = new Map(mapping.authors.map((entry) => [entry.account, entry]));
  const change = (entry: ImportMapping['authors'][number]) =>
    onChange({ authors: replace(mapping.authors, entry, ({ account }) => account) });
  return (
    <>
      <Radio.Group
        aria-label="作者的对应"
        value={isAll ? 'all' : 'each'}
        options={[
          { value: 'each', label: '逐位对应' },
          { value: 'all', label: '全部归到一位作者' },
        ]}
        onChange={({ target }) => {
          setIsAll(target.value === 'all');
          if (target.value !== 'all') onChange({ allTo: null });
        }}
      />
      {isAll ? (
        <div className={styles.all}>
          <UserFilter
            label="全部文章归到"
            block
            value={mapping.allTo ?? undefined}
            onChange={(userId) => onChange({ allTo: userId ?? null })}
          />
        </div>
      ) : (
        <PagedRows label="作者的对应" rows={check.authors} total={check.counts.authors}>
          {({ account, displayName, count }) => {
            const entry = chosen.get(account) ?? { account, to: 'new' };
            return (
              <li key={account}>
                <OldName
                  name={displayName === account ? account : `${displayName}（${account}）`}
                  count={count}
                />
                <Flex gap={8} wrap className={styles.target}>
                  <Select
                    aria-label={`作者「${displayName}」成为`}
                    value={entry.to}
                    options={authorOptions}
                    onChange={(to) => change({ account, to })}
                  />
                  {entry.to === 'user' ? (
                    <UserFilter
                      label={`作者「${displayName}」对应的人`}
                      block
                      value={entry.userId}
                      onChange={(userId) => change({ account, to: 'user', ...(userId && { userId }) })}
                    />
                  ) : null}
                </Flex>
              </li>
            );
          }}
        </PagedRows>
      )}
    </>
  );
}

const sectionOptions = [
  { value: 'essay', label: '文章' },
  { value: 'page', label: '页面' },
];

export function SectionRows({ check, mapping, onChange }: RowsProps) {
  const chosen = new Map(mapping.sections.map(({ name, as }) => [name, as]));
  return (
    <PagedRows label="栏目的对应" rows={check.sections} total={check.sections.length}>
      {({ name, count, isMain }) => (
        <li key={name}>
          <OldName name={sectionText(name)} count={count} unit="项" />
          <div className={styles.target}>
            <Radio.Group
              aria-label={`栏目「${sectionText(name)}」成为`}
              value={chosen.get(name) ?? (isMain ? 'essay' : 'page')}
              options={sectionOptions}
              onChange={({ target }) =>
                onChange({
                  sections: replace(mapping.sections, { name, as: target.value }, (each) => each.name),
                })
              }
            />
          </div>
        </li>
      )}
    </PagedRows>
  );
}
