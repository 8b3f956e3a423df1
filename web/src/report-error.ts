import { describeError, needsSignIn } from '@mozhan/client/error-display.ts';
import type { Router } from './router/navigation.ts';
import { pathTo } from './router/router.tsx';
import { notify, toast } from './ui/toast.tsx';

/** Default error handler of API calls: shows a toast, a notification or an error page, or redirects to sign-in. */
export function reportError(error: unknown, router: Router): void {
  const { url } = router.view();
  if (needsSignIn(error)) {
    if (url.startsWith('/login.html')) return;
    void router.navigate(pathTo({ to: '/login.html', search: { redirect: url } }));
    return;
  }
  const description = describeError(error);
  if (description.show === 'message') toast(description.text, description.tone);
  else if (description.show === 'notice')
    notify({ title: description.title, text: description.text, tone: 'bad' });
  else if (description.show === 'page') {
    const search = { errorCode: description.code, errorMessage: description.message };
    void router.navigate(pathTo({ to: '/exception', search }));
  }
}
