import { formatYuan } from '@mozhan/contract/money.ts';

export const exact = (count: number): string => count.toLocaleString('zh-CN');

/** What is counted, in the order in which it is shown. */
export const figures = [
  { key: 'reads', label: '阅读', format: exact },
  { key: 'likes', label: '点赞', format: exact },
  { key: 'collects', label: '收藏', format: exact },
  { key: 'comments', label: '评论', format: exact },
  { key: 'shares', label: '分享', format: exact },
  { key: 'income', label: '收益', format: formatYuan },
] as const;
