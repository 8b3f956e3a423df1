import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';
import { useApp } from './app-context.ts';
import type { RouteLocation } from './router.ts';

export function useLocation(): RouteLocation {
  const { router } = useApp();
  return useSyncExternalStore(router.subscribe, router.location);
}

type LinkProps = { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

/** An anchor whose unmodified left click navigates inside the app. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { router } = useApp();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    void router.navigate(to);
  };
  return <a {...rest} href={router.href(to)} onClick={follow} />;
}
