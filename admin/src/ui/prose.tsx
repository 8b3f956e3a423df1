import { useEffect, useRef } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { highlight } from '#admin/lib/highlight.ts';
import styles from './prose.module.css';

interface ProseProps {
  /** Made and cleaned by the server, as for readers. */
  html: string;
  /** Words to point out. */
  words?: readonly string[];
}

const NONE: readonly string[] = [];

/** Whoever follows a link comes back to where they were: it opens in a tab of its own, a note within the text. */
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#')) document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
  else open(link.href, '_blank', 'noopener');
}

/** Text as the reader's site sets it, with its diagrams drawn. */
export function Prose({ html, words = NONE }: ProseProps) {
  const { basePath } = useApp();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = frame.current;
    root?.addEventListener('click', onClick);
    return () => root?.removeEventListener('click', onClick);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other places
  useEffect(() => (frame.current === null ? undefined : highlight(frame.current, words)), [html, words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other diagrams
  useEffect(() => {
    const diagrams = frame.current?.querySelectorAll('[data-diagram]') ?? [];
    if (diagrams.length === 0) return;
    const stop = new AbortController();
    import('@mozhan/client/diagrams.ts')
      .then(({ drawDiagrams }) => drawDiagrams(diagrams, basePath, stop.signal))
      // Their source is shown instead.
      .catch(() => {});
    return () => stop.abort();
  }, [html, basePath]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets nothing through but plain markup
  return <div ref={frame} className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
