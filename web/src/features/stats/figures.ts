/** What is counted, in the order in which it is shown. */
export const figures = [
  { key: 'reads', label: '阅读' },
  { key: 'likes', label: '点赞' },
  { key: 'collects', label: '收藏' },
  { key: 'comments', label: '评论' },
  { key: 'shares', label: '分享' },
] as const;

export const exact = (count: number): string => count.toLocaleString('zh-CN');
