import { describeFailure, needsSignIn } from '@mozhan/client/failures.ts';
import type { Router } from './router/navigation.ts';
import { pathTo } from './router/router.tsx';
import { notify, toast } from './ui/toast.tsx';

/** Shows what went wrong with a call that left it to us. */
export function report(error: unknown, router: Router): void {
  const { url } = router.view();
  if (needsSignIn(error)) {
    if (url.startsWith('/login.html')) return;
    void router.navigate(pathTo({ to: '/login.html', search: { redirect: url } }));
    return;
  }
  const shown = describeFailure(error);
  if (shown.show === 'message') toast(shown.text, shown.tone);
  else if (shown.show === 'notice') notify({ title: shown.title, text: shown.text, tone: 'bad' });
  else if (shown.show === 'page') {
    const search = { errorCode: shown.code, errorMessage: shown.message };
    void router.navigate(pathTo({ to: '/exception', search }));
  }
}
