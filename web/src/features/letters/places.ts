import { pathTo } from '#web/router/router.tsx';

/** All threads, those with a word, or one of them. */
export const lettersPath = ({ keyword, thread }: { keyword?: string; thread?: string } = {}): string =>
  pathTo({ to: '/account/center.html', search: { tab: 'letter', q: keyword || undefined, thread } });
