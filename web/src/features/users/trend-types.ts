/** By the number of their type: how a filter calls them. */
export const trendNames = [
  '阅读',
  '点赞',
  '分享',
  '分享带读',
  '评论',
  '回复评论',
  '收藏',
  '下载',
  '注册',
  '关注',
  '打赏',
  '回复打赏',
  '购买',
  '私信',
  '回复私信',
  '私聊',
  '回复私聊',
  '群聊',
  '回复群聊',
  '搜索',
] as const;

const READ = 0;
const BOUGHT = 12;

/** Only their owner ever sees these. */
export const isPrivate = (type: number): boolean => type === READ || type >= BOUGHT;
