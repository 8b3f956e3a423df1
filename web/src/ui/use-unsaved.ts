import { useEffect } from 'react';
import type { Router } from '../router/navigation.ts';
import { askBeforeLeaving } from '../router/unsaved.ts';
import { confirm } from './confirm.tsx';

const ask = () =>
  confirm({
    title: '离开这一页？',
    text: '刚才的修改还没有保存，离开以后就没有了。',
  });

/** While something is unsaved, nobody leaves the page without being asked. */
export function useUnsaved(unsaved: boolean, router: Router): void {
  useEffect(() => (unsaved ? askBeforeLeaving(router, ask) : undefined), [unsaved, router]);
}
