import { toast } from '#web/ui/toast.tsx';
import { type SaidBySomebody, useThread } from './thread.ts';

/** Nobody else knows of what waits for its audit, so it does not count. */
export function useSent() {
  const { onCount } = useThread();
  return ({ held }: SaidBySomebody) => {
    if (!held) onCount(1);
    toast(held ? '已提交，审核通过后公开' : '已发布');
  };
}
