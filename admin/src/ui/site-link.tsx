import type { AnchorHTMLAttributes } from 'react';
import { useApp } from '#admin/lib/app-context.ts';

export function SiteLink({
  to,
  ...rest
}: { to: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) {
  const { basePath } = useApp();
  return <a {...rest} href={basePath + to} />;
}
