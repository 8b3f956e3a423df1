import { formatYuan } from '@mozhan/contract/money.ts';

export const formatExact = (count: number): string => count.toLocaleString('zh-CN');

/** In the order of display. */
export const figures = [
  { key: 'reads', label: '阅读', format: formatExact },
  { key: 'likes', label: '点赞', format: formatExact },
  { key: 'collects', label: '收藏', format: formatExact },
  { key: 'comments', label: '评论', format: formatExact },
  { key: 'shares', label: '分享', format: formatExact },
  { key: 'income', label: '收益', format: formatYuan },
] as const;
