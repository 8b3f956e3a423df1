import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash, timeSince } from '#admin/lib/format.ts';
import { Link, usePlace } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { Person } from '#admin/ui/person.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import { Badges, badgesOf } from './badges.tsx';
import { placeOf } from './place.ts';
import styles from './queue.module.css';

function EssayLink({ essay: { id, title } }: { essay: StaffEssay }) {
  const { search } = usePlace();
  return (
    <Link className={styles.title} to={placeOf(search, id)} title={title}>
      {title}
    </Link>
  );
}

const columns: Column<StaffEssay>[] = [
  {
    key: 'title',
    title: '标题',
    text: (row) => row.title,
    show: (row) => <EssayLink essay={row} />,
  },
  {
    key: 'badges',
    title: '留意',
    text: (row) => orDash(badgesOf(row).join('、')),
    show: (row) => <Badges essay={row} />,
  },
  {
    key: 'author',
    title: '作者',
    text: (row) => row.author.displayName,
    show: ({ author }) => <Person name={author.displayName} headImg={author.headImg} />,
  },
  { key: 'category', title: '分类', text: (row) => orDash(row.category?.name) },
  { key: 'wordCount', title: '字数', text: (row) => String(row.wordCount), align: 'end', sort: 'wordCount' },
  {
    key: 'submittedAt',
    title: '已等',
    sort: 'submittedAt',
    text: (row) => (row.submittedAt === null ? '-' : formatDateTime(row.submittedAt)),
    show: ({ submittedAt }) =>
      submittedAt === null ? (
        '-'
      ) : (
        <time dateTime={submittedAt} title={`提交于 ${formatDateTime(submittedAt)}`}>
          {timeSince(submittedAt)}
        </time>
      ),
  },
  { key: 'words', title: '敏感词', text: (row) => orDash(row.words.join('、')), hidden: true },
];

const kindOptions = [
  { value: 'first', label: '文章' },
  { value: 'revision', label: '修订' },
];

/** What waits for an auditor. */
export function AuditQueue() {
  const { api, router } = useApp();
  const { search } = usePlace();
  const categories = useQuery(call(api, 'GET core/sys/category/')).data;
  const filters: Filter[] = [
    { name: 'kind', label: '种类', options: kindOptions },
    {
      name: 'categoryId',
      label: '分类',
      options: Array.isArray(categories)
        ? categories.map(({ id, name }) => ({ value: id, label: name }))
        : [],
    },
    { name: 'authorId', label: '作者', render: (control) => <UserFilter label="作者" {...control} /> },
  ];
  return (
    <Screen title="文章审核" intro="待审核的文章与修订，先提交的在前">
      <DataTable
        name="audit"
        title="待审核的文章"
        route="GET core/sys/essay/queue"
        columns={columns}
        keyword="搜索标题"
        keywordMax={100}
        filters={filters}
        actions={(row) => (
          <RowActions
            name={row.title}
            actions={[{ label: '审核', onClick: () => void router.navigate(placeOf(search, row.id)) }]}
          />
        )}
      />
    </Screen>
  );
}
