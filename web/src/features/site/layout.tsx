import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { SkipLink } from './skip-link.tsx';

interface SiteLayoutProps {
  /** The signed-in reader's corner of the header. */
  account: ReactNode;
  children: ReactNode;
}

/** Header and footer around a page, which brings its own <main id="main">. */
export function SiteLayout({ account, children }: SiteLayoutProps) {
  return (
    <>
      <SkipLink>跳到正文</SkipLink>
      <Header account={account} />
      {children}
      <Footer />
    </>
  );
}
