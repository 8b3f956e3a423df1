import { watchDiagrams } from '@mozhan/client/watch-diagrams.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect } from 'react';
import { useEssayLinkAdapter } from '#web/features/essays/essay-links.ts';
import { useApp } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { firstInteraction } from '#web/router/first-interaction.ts';
import { Prose } from '#web/ui/prose.tsx';
import styles from './essay-text.module.css';

interface EssayTextProps {
  essay: Pick<Essay, 'html' | 'locked'>;
  text: RefObject<HTMLDivElement | null>;
}

/** The text of the essay. The code for its interactions is loaded on the reader's first interaction. */
export function EssayText({ essay: { html, locked }, text }: EssayTextProps) {
  const { basePath } = useApp();
  const adaptLinks = useEssayLinkAdapter();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has new elements
  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const run = async () => {
      watchDiagrams(
        root,
        (figures) =>
          void import('@mozhan/client/diagrams.ts').then(({ drawDiagrams }) =>
            drawDiagrams(figures, basePath, signal),
          ),
        signal,
      );
      await firstInteraction();
      const { attachTextBehaviour } = await import('./text-behaviour.ts');
      attachTextBehaviour(root, signal);
    };
    // The text is readable without them.
    run().catch(() => {});
    return () => stop.abort();
  }, [text, html, basePath]);

  return (
    <div
      ref={text}
      className={locked === null ? styles.text : `${styles.text} ${styles.fading}`}
      data-text=""
    >
      <CachedFragment name="text" ofPage input={html}>
        <Prose html={adaptLinks(html)} />
      </CachedFragment>
    </div>
  );
}
