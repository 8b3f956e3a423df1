import type { AnchorHTMLAttributes } from 'react';
import { Link, useView } from './router.tsx';

interface SignInLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'rel'> {
  /** Fragment of this page to return to. */
  hash?: string;
}

/** Links to the sign-in page, which redirects back to this page. */
export function SignInLink({ hash, ...rest }: SignInLinkProps) {
  const { url } = useView();
  const redirect = hash === undefined ? url : `${url}#${hash}`;
  return <Link {...rest} to="/login.html" search={{ redirect }} rel="nofollow" />;
}
