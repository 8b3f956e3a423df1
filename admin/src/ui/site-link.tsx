import type { AnchorHTMLAttributes } from 'react';
import { useApp } from '#admin/lib/app-context.ts';

/** A link to a page of the reader's site. */
export function SiteLink({
  to,
  ...rest
}: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const { basePath } = useApp();
  return <a {...rest} href={basePath + to} />;
}
