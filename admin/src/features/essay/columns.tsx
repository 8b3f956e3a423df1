import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { toYuan } from '@mozhan/contract/money.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { Space, Tag } from 'antd';
import { formatEssayPrice } from '#admin/lib/format.ts';
import { ago, count, person, text } from '#admin/ui/columns.tsx';
import { EssayStatusTags, textOfStatus } from '#admin/ui/essay-status.tsx';
import { TruncatedLink } from '#admin/ui/truncated-text.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

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
  {
    key: 'status',
    title: '状态',
    text: textOfStatus,
    show: (row) => (
      <Space size={4}>
        <EssayStatusTags {...row} />
        {row.pinned ? <Tag color="blue">置顶{pinOf(row)}</Tag> : null}
      </Space>
    ),
  },
  { key: 'pinned', title: '首页置顶', text: pinOf, hidden: true },
  text.of('category', '分类', (row) => row.category?.name),
  { key: 'price', title: '价格（元）', text: (row) => toYuan(row.price), show: formatEssayPrice },
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
