import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime, orDash, timeSince } from '#admin/lib/format.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { count, text } from '#admin/ui/columns.tsx';
import { userFilter } from '#admin/ui/filters.tsx';
import { optionsOf } from '#admin/ui/labels.tsx';
import { paged } from '#admin/ui/lists.ts';
import { Person } from '#admin/ui/person.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import styles from '#admin/ui/truncated-text.module.css';
import { auditUrl } from './audit-url.ts';
import { Badges, badgesOf } from './badges.tsx';

function EssayLink({ essay: { id, title } }: { essay: StaffEssay }) {
  const { search } = useLocation();
  return (
    <Link className={styles.line} data-width="wider" to={auditUrl(search, id)} title={title}>
      {title}
    </Link>
  );
}

const kinds = { first: '文章', revision: '修订' };

export function AuditQueue() {
  const { api } = useApp();
  const { search } = useLocation();
  const categories = useQuery(call(api, 'GET core/sys/category/')).data;
  return (
    <ResourceScreen
      name="audit"
      title="文章审核"
      intro="待审核的文章与修订，先提交的在前"
      noun="待审核的文章"
      list={paged('GET core/sys/essay/queue')}
      columns={[
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
        count('wordCount', '字数', { sort: true }),
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
        text('words', '敏感词', { hidden: true }),
      ]}
      keyword="搜索标题"
      keywordMax={100}
      filters={[
        { name: 'kind', label: '类型', options: optionsOf(kinds) },
        {
          name: 'categoryId',
          label: '分类',
          options: Array.isArray(categories)
            ? categories.map(({ id, name }) => ({ value: id, label: name }))
            : [],
        },
        userFilter('authorId', '作者'),
      ]}
      rowActions={[{ label: '审核', to: ({ id }) => auditUrl(search, id) }]}
    />
  );
}
