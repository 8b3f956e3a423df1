import type { NavLink } from '@mozhan/contract/navigation.ts';
import type { AnchorHTMLAttributes } from 'react';
import { useRouter } from '#web/router/router.tsx';

type NavAnchorProps = { to: NavLink['to'] } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>;

/** A link of the navigation that operators edit: to a path of the site, or in a new tab to another site. */
export function NavAnchor({ to, ...rest }: NavAnchorProps) {
  const { href } = useRouter();
  return to.startsWith('/') ? (
    <a {...rest} href={href(to)} />
  ) : (
    <a {...rest} href={to} target="_blank" rel="noopener" />
  );
}
