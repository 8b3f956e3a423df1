import { watchDiagrams } from '@mozhan/client/watch-diagrams.ts';
import { useEffect, useRef } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { highlight } from '#admin/lib/highlight.ts';
import '@mozhan/client/fonts/math.css';
import styles from './prose.module.css';

interface ProseProps {
  /** Rendered and sanitized by the server. */
  html: string;
  words?: readonly string[];
}

const NONE: readonly string[] = [];

/** Opens links in a new tab, so that the screen keeps its state; anchors scroll within the text. */
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  event.preventDefault();
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#')) document.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
  else open(link.href, '_blank', 'noopener');
}

/** Displays rendered HTML with diagrams and highlighted words. Diagrams are shown in both themes and with their source. */
export function Prose({ html, words = NONE }: ProseProps) {
  const { basePath } = useApp();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = frame.current;
    root?.addEventListener('click', onClick);
    return () => root?.removeEventListener('click', onClick);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML needs new highlights
  useEffect(() => (frame.current === null ? undefined : highlight(frame.current, words)), [html, words]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML contains new diagrams
  useEffect(() => {
    const stop = new AbortController();
    const draw = (figures: HTMLElement[]) =>
      void import('@mozhan/client/diagrams.ts')
        .then(({ drawDiagrams }) => drawDiagrams(figures, basePath, stop.signal))
        // On failure the source of the diagrams stays visible.
        .catch(() => {});
    if (frame.current !== null) watchDiagrams(frame.current, draw, stop.signal);
    return () => stop.abort();
  }, [html, basePath]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server sanitizes the HTML
  return <div ref={frame} className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />;
}
