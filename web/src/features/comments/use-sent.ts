import { toast } from '#web/ui/toast.tsx';
import { useCommentCache } from './comment-query.ts';
import type { SaidBySomebody } from './thread.ts';

/** Nobody else knows of what waits for its audit, so it does not count. */
export function useSent() {
  const { count } = useCommentCache();
  return ({ held }: SaidBySomebody) => {
    if (!held) count(1);
    toast(held ? '已提交，审核通过后公开' : '已发布');
  };
}
