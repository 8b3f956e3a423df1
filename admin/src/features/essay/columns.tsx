import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { EssayStatusTags, textOfStatus } from '#admin/ui/essay-status.tsx';
import { Person } from '#admin/ui/person.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import styles from './columns.module.css';

function priceOf({ price, memberFree }: StaffEssay): string {
  if (price === 0) return memberFree ? '会员可读' : '免费';
  return memberFree ? `${formatYuan(price)}，会员免费` : formatYuan(price);
}

const count = (
  key: keyof StaffEssay & `${string}Count`,
  title: string,
  { hidden, sort }: { hidden?: true; sort?: boolean } = {},
): Column<StaffEssay> => ({
  key,
  title,
  text: (row) => String(row[key]),
  align: 'end',
  ...(hidden && { hidden }),
  ...(sort && { sort: key }),
});

/** A time, or a dash; exact in an exported file. */
const when = (
  key: 'publishedAt' | 'updatedAt' | 'submittedAt' | 'scheduledAt',
  title: string,
  { hidden, sort }: { hidden?: true; sort?: string } = {},
): Column<StaffEssay> => ({
  key,
  title,
  text: (row) => (row[key] === null ? '-' : formatDateTime(row[key])),
  show: (row) => (row[key] === null ? '-' : <TimeAgo at={row[key]} />),
  ...(hidden && { hidden }),
  ...(sort !== undefined && { sort }),
});

export const columnsOf = (basePath: string): Column<StaffEssay>[] => [
  {
    key: 'title',
    title: '标题',
    text: (row) => row.title || '（没有标题）',
    show: (row) =>
      row.status === ESSAY_STATUS.onShelf ? (
        <a
          className={styles.title}
          href={`${basePath}/essay/detail/${row.id}.html`}
          target="_blank"
          rel="noopener"
          title={row.title}
        >
          {row.title}
        </a>
      ) : (
        <span className={styles.title} title={row.title}>
          {row.title || '（没有标题）'}
        </span>
      ),
  },
  {
    key: 'author',
    title: '作者',
    text: (row) => row.author.displayName,
    show: ({ author }) => (
      <a href={`${basePath}/user/home/${author.id}.html`}>
        <Person name={author.displayName} headImg={author.headImg} />
      </a>
    ),
  },
  { key: 'status', title: '状态', text: textOfStatus, show: (row) => <EssayStatusTags {...row} /> },
  { key: 'category', title: '分类', text: (row) => orDash(row.category?.name) },
  { key: 'price', title: '价格（元）', text: (row) => toYuan(row.price), show: priceOf },
  { key: 'memberFree', title: '会员免费', text: (row) => (row.memberFree ? '是' : '否'), hidden: true },
  count('wordCount', '字数'),
  count('readCount', '阅读', { sort: true }),
  count('likeCount', '点赞', { hidden: true, sort: true }),
  count('cmtCount', '评论', { hidden: true, sort: true }),
  count('collectCount', '收藏', { hidden: true, sort: true }),
  when('publishedAt', '上架时间', { sort: 'publishedAt' }),
  when('updatedAt', '改动时间', { sort: 'savedAt' }),
  when('submittedAt', '提交时间', { hidden: true }),
  when('scheduledAt', '定时上架', { hidden: true }),
  { key: 'tags', title: '标签', text: (row) => orDash(row.tags.join('、')), hidden: true },
];
