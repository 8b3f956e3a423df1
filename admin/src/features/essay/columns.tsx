import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { Tag } from 'antd';
import { ago, count, person, text } from '#admin/ui/columns.tsx';
import { EssayStatusTags, textOfStatus } from '#admin/ui/essay-status.tsx';
import { TruncatedLink } from '#admin/ui/truncated-text.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

function priceOf({ price, memberFree }: StaffEssay): string {
  if (price === 0) return memberFree ? '会员可读' : '免费';
  return memberFree ? `${formatYuan(price)}，会员免费` : formatYuan(price);
}

const pinOf = ({ pinPosition }: StaffEssay): string => (pinPosition === null ? '-' : `第 ${pinPosition} 位`);

const titleOf = ({ title }: StaffEssay): string => title || '（没有标题）';

export const essayColumns: Column<StaffEssay>[] = [
  {
    key: 'title',
    title: '标题',
    text: titleOf,
    show: (row) => (
      <TruncatedLink
        text={titleOf(row)}
        to={row.status === ESSAY_STATUS.onShelf ? `/essay/detail/${row.id}.html` : undefined}
        width="wide"
      />
    ),
  },
  person('author', '作者'),
  { key: 'status', title: '状态', text: textOfStatus, show: (row) => <EssayStatusTags {...row} /> },
  {
    key: 'pinned',
    title: '首页置顶',
    text: pinOf,
    show: (row) => (row.pinned ? <Tag color="blue">{pinOf(row)}</Tag> : '-'),
  },
  text.of('category', '分类', (row) => row.category?.name),
  { key: 'price', title: '价格（元）', text: (row) => toYuan(row.price), show: priceOf },
  { key: 'memberFree', title: '会员免费', text: (row) => (row.memberFree ? '是' : '否'), hidden: true },
  count('wordCount', '字数', { hidden: true }),
  count('readCount', '阅读', { sort: true }),
  count('likeCount', '点赞', { hidden: true, sort: true }),
  count('cmtCount', '评论', { hidden: true, sort: true }),
  count('collectCount', '收藏', { hidden: true, sort: true }),
  ago('publishedAt', '上架时间', { sort: true }),
  ago('updatedAt', '改动时间', { sort: 'savedAt' }),
  ago('submittedAt', '提交时间', { hidden: true }),
  ago('scheduledAt', '定时上架', { hidden: true }),
  text('tags', '标签', { hidden: true }),
];
