import { useEffect } from 'react';
import { useApp } from './app-context.ts';

export function useTitle(title: string): void {
  const site = useApp().title;
  useEffect(() => {
    document.title = `${title} · ${site}后台`;
  }, [title, site]);
}
