import type { ReactNode } from 'react';
import { useLayout } from '#web/router/router.tsx';
import { BareBar } from './bare-bar.tsx';

/** The main part of a page that exists with the site's frame and without it, where it stands under a bar as apps have it. */
export function Main({ children }: { children: ReactNode }) {
  const main = (
    <main id="main" tabIndex={-1} className="wrap">
      {children}
    </main>
  );
  return useLayout() === 'bare' ? <BareBar>{main}</BareBar> : main;
}
