import type { Notice } from '@mozhan/contract/notices.ts';
import type { IconName } from '#web/ui/icon-set.tsx';

/** In the order in which they are offered. */
export const noticeKinds: Record<Notice['kind'], { label: string; icon: IconName }> = {
  comment: { label: '评论', icon: 'comment' },
  reply: { label: '回复', icon: 'reply' },
  mention: { label: '提到我', icon: 'at' },
  like: { label: '点赞', icon: 'heart' },
  collect: { label: '收藏', icon: 'star' },
  follow: { label: '关注', icon: 'users' },
  column: { label: '专栏', icon: 'book' },
  reward: { label: '打赏', icon: 'gift' },
  purchase: { label: '购买', icon: 'wallet' },
  audit: { label: '审核', icon: 'shield' },
  message: { label: '消息', icon: 'chat' },
  system: { label: '系统', icon: 'bell' },
};
