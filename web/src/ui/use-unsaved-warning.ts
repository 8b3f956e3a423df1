import { useEffect } from 'react';
import { confirmBeforeLeaving } from '../router/confirm-leaving.ts';
import type { Router } from '../router/navigation.ts';
import { confirm } from './confirm.tsx';

const confirmLeaving = () =>
  confirm({
    title: '离开这一页？',
    text: '刚才的修改还没有保存，离开以后就没有了。',
  });

export function useUnsavedWarning(unsaved: boolean, router: Router): void {
  useEffect(() => (unsaved ? confirmBeforeLeaving(router, confirmLeaving) : undefined), [unsaved, router]);
}
