import type { AnchorHTMLAttributes } from 'react';
import { Link, useView } from './router.tsx';

interface SignInLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'rel'> {
  /** The place in this page to come back to. */
  hash?: string;
}

/** Leads to the login page, and from there back to this one. */
export function SignInLink({ hash, ...rest }: SignInLinkProps) {
  const { url } = useView();
  const redirect = hash === undefined ? url : `${url}#${hash}`;
  return <Link {...rest} to="/login.html" search={{ redirect }} rel="nofollow" />;
}
