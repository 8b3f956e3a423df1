import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect } from 'react';
import { useTextLinks } from '#web/features/essays/text-links.ts';
import { useApp } from '#web/lib/app-context.ts';
import { firstTouch } from '#web/router/first-touch.ts';
import { Prose } from '#web/ui/prose.tsx';
import styles from './essay-text.module.css';

interface EssayTextProps {
  essay: Pick<Essay, 'html' | 'locked'>;
  text: RefObject<HTMLDivElement | null>;
}

/** The text itself. What its parts do when touched is fetched when the reader first touches anything. */
export function EssayText({ essay: { html, locked }, text }: EssayTextProps) {
  const { basePath } = useApp();
  const toLinks = useTextLinks();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other parts
  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const run = async () => {
      const diagrams = root.querySelectorAll('[data-diagram]');
      if (diagrams.length > 0) {
        const { drawDiagrams } = await import('@mozhan/client/diagrams.ts');
        drawDiagrams(diagrams, basePath, signal);
      }
      await firstTouch();
      const { enliven } = await import('./text-behaviour.ts');
      enliven(root, signal);
    };
    // The text reads without them.
    run().catch(() => {});
    return () => stop.abort();
  }, [text, html, basePath]);

  return (
    <div
      ref={text}
      className={locked === null ? styles.text : `${styles.text} ${styles.fading}`}
      data-text=""
    >
      <Prose html={toLinks(html)} />
    </div>
  );
}
