import { useEffect } from 'react';
import { useApp } from './app-context.ts';

/** The title of the tab; the document came with one of its own. */
export function useTitle(title: string): void {
  const site = useApp().title;
  useEffect(() => {
    document.title = `${title} · ${site}后台`;
  }, [title, site]);
}
